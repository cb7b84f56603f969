import { setTimeout as wait } from 'node:timers/promises';
import { payCreators } from '#features/money/paying-out.ts';
import { catchMissed } from '#features/money/reconcile.ts';
import { minuteMs } from '#kit/time.ts';
import type { Caller } from './caller.ts';
import { albumCents, type PlannedPayment, payments, tierCents } from './demo-fans.ts';
import type { Making } from './demo-making.ts';
import type { Past } from './demo-past.ts';
import { ago } from './demo-people.ts';
import { letFansAsk } from './demo-requests.ts';
import { openVisitors, type Visitors } from './demo-visitors.ts';
import { disputeInSandbox } from './dev-disputes.ts';
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
  // Their own session, but what they sell is paid in the past.
  const { email = '', handle = '' } = (await creator.caller.accounts.me()).user ?? {};
  const seller = await signInAs({ ...engines, payments: provider, sandbox }, email);
  const at: At = (agoMs) => {
    past.time.now = endMs - agoMs;
    return seller.at(new Date(past.time.now));
  };
  await openShop(at, past);
  const selling = await offer(at, seller, endMs);
  // A server that has not seen later days yet: whoever comes twice from one network comes later the second time.
  await withVisitors(past, async (visitors) => {
    for (const payment of payments) {
      signal?.throwIfAborted();
      await payOnce(payment, { ...selling, endMs, at, visitors, seller, past });
    }
  });
  const albumId = (await listByName(seller)).get('Lena')?.albums[0]?.id;
  if (albumId !== undefined && handle !== null)
    await withVisitors(past, (visitors) => letFansAsk({ past, visitors, at, endMs, handle, albumId }, signal));
  past.time.now = endMs - ago(0, 5);
  // What the provider has told nobody meanwhile.
  await catchMissed(past.engines);
  await payCreators(past.engines);
  await seller.caller.accounts.signOut({});
}

async function withVisitors(past: Past, run: (visitors: Visitors) => Promise<void>): Promise<void> {
  const visitors = await openVisitors(past);
  try {
    await run(visitors);
  } finally {
    await visitors.close();
  }
}

/** Connects an account to which their part goes. */
async function openShop(at: At, { engines }: Past): Promise<void> {
  const shop = at(ago(7, 12)).money;
  if ((await shop.account({})).account === 'complete') return;
  const { url } = await shop.connect({ country: 'US' });
  await engines.sandbox?.answerOnboarding(url.split('/').at(-1) ?? '', true);
  await shop.checkAccount({});
}

/** What they sell, and by which links. */
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
  past: Past;
}

/** Ten seconds, on a busy machine. */
const mostLooks = 100;

async function payOnce(
  payment: PlannedPayment,
  { endMs, at, visitors, seller, tierId, links, past }: Shop,
): Promise<void> {
  const { who, email, link: name, agoMs, amountCents, message = '', isAnonymous = false, looks } = payment;
  const link = links.get(name);
  if (link === undefined) throw new Error(`No link is called ${name}.`);
  const { slug } = link;
  const when = new Date(endMs - agoMs);
  const find = async () =>
    (await seller.caller.money.listEarnings({ limit: 100 })).rows.find(
      (row) => row.kind !== 'refund' && Math.abs(row.at.getTime() - when.getTime()) < minuteMs,
    );
  if ((await find()) === undefined) {
    const params = { offerId, amountCents, message, isAnonymous, ...(name === 'Inner circle' && { tierId }) };
    await visitors.pay({ who, email, slug, at: when, params });
    await visitors.visit({ who, slug, at: new Date(when.getTime() + minuteMs), looks });
  }
  // What was paid stands among their earnings once it is in the books.
  let row = await find();
  for (let tries = 1; row === undefined && tries < mostLooks; tries++) {
    await wait(100);
    row = await find();
  }
  if (row?.state === 'paid' && row.orderId !== null) await takeBack(payment, row.orderId, { at, past });
}

/** What becomes of a payment later in the week. */
async function takeBack(
  { returnedAgoMs, disputedAgoMs }: PlannedPayment,
  orderId: string,
  { at, past }: Pick<Shop, 'at' | 'past'>,
): Promise<void> {
  if (returnedAgoMs !== undefined) await at(returnedAgoMs).money.refund({ orderId });
  if (disputedAgoMs === undefined) return;
  at(disputedAgoMs);
  await disputeInSandbox(past.engines, { order: orderId });
}
