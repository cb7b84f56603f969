import { payCreators } from '#features/money/payouts.ts';
import { minuteMs } from '#kit/time.ts';
import type { Caller } from './caller.ts';
import { albumCents, type PlannedPayment, payments, tierCents } from './demo-fans.ts';
import type { Making } from './demo-making.ts';
import type { Past } from './demo-past.ts';
import { ago } from './demo-people.ts';
import { openVisitors, type Visitors } from './demo-visitors.ts';
import { linkOnce, listByName, type SignedIn, signInAs } from './seeding.ts';

/** A creator at a moment, before whom the payment provider stands at the same one. */
type At = (agoMs: number) => Caller;

/**
 * Lets the week's fans pay: tips, sales and a subscription, of which one comes back, until what can be paid out is held for its
 * first review. What is there already is not done again.
 * @throws when it was broken off
 */
export async function letFansPay({ engines, creator, endMs, signal }: Making, past: Past): Promise<void> {
  const { payments: provider, sandbox } = past.engines;
  // Her own session, but what she sells is paid in the past.
  const email = (await creator.caller.accounts.me()).user?.email ?? '';
  const seller = await signInAs({ ...engines, payments: provider, sandbox }, email);
  const at: At = (agoMs) => {
    past.time.now = endMs - agoMs;
    return seller.at(new Date(past.time.now));
  };
  await openShop(at, past);
  const selling = await offer(at, seller, endMs);
  // A server that has not seen later days yet: whoever comes twice from one network comes later the second time.
  const visitors = await openVisitors(past);
  try {
    for (const payment of payments) {
      signal?.throwIfAborted();
      await payOnce(payment, { ...selling, endMs, at, visitors, seller });
    }
  } finally {
    await visitors.close();
  }
  past.time.now = endMs - ago(0, 5);
  await payCreators(past.engines);
  await seller.caller.accounts.signOut({});
}

/** Connects an account to which her part goes. */
async function openShop(at: At, { engines }: Past): Promise<void> {
  const shop = at(ago(7, 12)).money;
  if ((await shop.account({})).account === 'complete') return;
  const { url } = await shop.connect({});
  await engines.sandbox?.answerOnboarding(url.split('/').at(-1) ?? '', true);
  await shop.checkAccount({});
}

/** What she sells, and by which links. */
async function offer(at: At, seller: SignedIn, endMs: number) {
  const start = ago(7, 10);
  const caller = at(start);
  const tier = { name: 'Inner circle', priceCents: tierCents, benefits: 'Everything I make, as long as you stay.' };
  const known = (await caller.fans.tiers({})).tiers.find(({ name }) => name === tier.name);
  const tierId = known?.id ?? (await caller.fans.createTier(tier)).id;
  const albums = (await listByName(seller)).get('Demo')?.albums ?? [];
  const sea = (await listByName(seller)).get('Lena')?.albums ?? [];
  const link = (linkName: PlannedPayment['link'], shown: typeof albums, condition: Condition) =>
    linkOnce(seller, new Date(endMs - start), {
      linkName,
      albumIds: shown.map(({ id }) => id),
      expiry: { kind: 'never' },
      rules: { offers: [{ id: offerId, all: [condition] }] },
    });
  const links = [
    await link('Sea week', sea, { kind: 'pay', priceCents: albumCents }),
    await link('Thank you', albums, { kind: 'tip', minCents: 500 }),
    await link('Inner circle', [...albums, ...sea], { kind: 'fan_sub', tierIds: [tierId] }),
  ];
  return { tierId, links: new Map(links.map((each) => [each.linkName, each])) };
}

const offerId = 'offer';
type Condition =
  | { kind: 'pay'; priceCents: number }
  | { kind: 'tip'; minCents: number }
  | { kind: 'fan_sub'; tierIds: string[] };

interface Shop extends Awaited<ReturnType<typeof offer>> {
  endMs: number;
  at: At;
  visitors: Visitors;
  seller: SignedIn;
}

async function payOnce(payment: PlannedPayment, { endMs, at, visitors, seller, tierId, links }: Shop): Promise<void> {
  const {
    who,
    email,
    link: name,
    agoMs,
    amountCents,
    message = '',
    isAnonymous = false,
    returnedAgoMs,
    looks,
  } = payment;
  const link = links.get(name);
  if (link === undefined) throw new Error(`No link is called ${name}.`);
  const { slug } = link;
  const when = new Date(endMs - agoMs);
  const find = async () =>
    (await seller.caller.money.listEarnings({ limit: 100 })).rows.find(
      (row) => row.kind !== 'refund' && Math.abs(row.at.getTime() - when.getTime()) < minuteMs,
    );
  if ((await find()) === undefined) {
    const wish = { offerId, amountCents, message, isAnonymous, ...(name === 'Inner circle' && { tierId }) };
    await visitors.pay({ who, email, slug, at: when, wish });
    await visitors.visit({ who, slug, at: new Date(when.getTime() + minuteMs), looks });
  }
  const row = await find();
  if (returnedAgoMs !== undefined && row?.state === 'paid')
    await at(returnedAgoMs).money.refund({ orderId: row.orderId });
}
