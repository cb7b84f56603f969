import { settleFans } from '#features/money/fans/fan-jobs.ts';
import { renewalTerms } from '#features/notices/refund-promise.ts';
import { dayMs } from '#kit/time.ts';
import { advance, must, type Person, readRows, signInQuickly } from '../people.ts';
import { type SharedAlbum, shareAlbum } from '../shared-link.ts';
import { type Browser, newBrowser, type TestApp } from '../test-app.ts';
import { connectPayouts, payAt, post, sessionOf, tapDoor } from './selling.ts';

export const fansToOpen = (tierIds: readonly string[] = []) => ({
  offers: [{ id: 'fans', all: [{ kind: 'fan_sub', tierIds }] }],
});

interface TierParams {
  priceCents?: number;
  name?: string;
  albumIds?: string[];
  off3?: number;
  off6?: number;
  off12?: number;
}

/** A tier of a creator. @returns its id */
export async function makeTier(
  app: TestApp,
  { browser }: Pick<Person, 'browser'>,
  { priceCents = 999, name = 'Inner circle', albumIds = [] as string[], ...offs }: TierParams = {},
): Promise<string> {
  const benefits = 'New photos every week.';
  return (await must(app, 'fans.createTier', { name, priceCents, benefits, albumIds, ...offs }, browser)).id;
}

/** Taps Subscribe at the door. */
export const tapSubscribe = (
  app: TestApp,
  slug: string,
  browser: Browser,
  tierId: string,
  amountCents = 999,
  months = 1,
) => {
  const params = { offerId: 'fans', tierId, months, amountCents, shownTerms: renewalTerms };
  return post(app, `/api/view/${slug}/checkout`, params, browser);
};

/** Subscribes, pays and comes back. @returns the checkout's name */
export async function subscribe(
  app: TestApp,
  {
    slug,
    browser,
    tierId,
    amountCents = 999,
  }: { slug: string; browser: Browser; tierId: string; amountCents?: number },
  payer: { card?: string; email?: string } = {},
): Promise<string> {
  const { status, body } = await tapSubscribe(app, slug, browser, tierId, amountCents);
  if (status !== 200) throw new Error(`the checkout answered ${status} ${JSON.stringify(body)}`);
  const sessionId = sessionOf(body.url);
  await payAt(app, sessionId, payer);
  const { state } = await must(app, 'viewing.checkoutStatus', { sessionId }, browser);
  if (state !== 'done') throw new Error(`the payment is ${state}`);
  return sessionId;
}

export interface Fan {
  slug: string;
  linkId: string;
  browser: Browser;
  email: string;
}

/** A creator with a tier of $9.99, and those who subscribe to her. No webhook tells anything. */
export async function openFanStage(app: TestApp) {
  app.engines.sandbox?.deliverTo(undefined);
  const shared = await shareAlbum(app, { count: 1 });
  const accountId = await connectPayouts(app, shared.creator);
  const tierId = await makeTier(app, shared.creator);
  let count = 0;
  const makeLink: SharedAlbum['makeLink'] = (rules, more = {}) =>
    shared.makeLink(rules, { expiry: { kind: 'never' }, ...more });
  return {
    shared,
    creator: shared.creator,
    accountId,
    tierId,
    makeLink,
    /** Somebody who has subscribed at a link of their own. */
    async makeFan({
      failsNext = false,
      rules = fansToOpen(),
      tier = tierId,
      amountCents = 999,
    }: {
      /** The first month is paid, and no other one. */
      failsNext?: boolean;
      rules?: object;
      tier?: string;
      amountCents?: number;
    } = {}): Promise<Fan> {
      const { slug, id: linkId } = await makeLink(rules);
      const browser = newBrowser();
      const email = `fan-${++count}@example.com`;
      await tapDoor(app, slug, browser);
      const sessionId = await subscribe(app, { slug, browser, tierId: tier, amountCents }, { email });
      const { subscriptionId = '' } = await app.engines.payments.findCheckout(sessionId);
      if (failsNext) await failNextMonths(app, subscriptionId);
      return { slug, linkId, browser, email };
    },
    /** Lets days go by, in which her session ends, and the jobs look what became of everything. */
    async wait(days: number): Promise<void> {
      advance(app, days * dayMs);
      await settleFans(app.engines, 0);
      shared.creator.browser = await signInQuickly(app, shared.creator.userId);
    },
    isOpen: async (slug: string, browser: Browser): Promise<boolean> =>
      (await post(app, `/api/view/${slug}/open`, {}, browser)).body === undefined,
    /** The months that were paid, oldest first. */
    monthsOf: ({ linkId }: Fan) =>
      readRows<{ id: string; state: string; amount_cents: number; fee_cents: number; receipt: boolean }>(
        app,
        `select o.id, o.state, o.amount_cents, o.fee_cents, exists (select from receipts r where r.order_id = o.id) as receipt
        from checkout_orders o where o.link_id = $1 order by o.paid_at, o.id`,
        [linkId],
      ),
    rowOf: async ({ linkId }: Fan) => findFanRow(app, linkId),
  };
}
async function findFanRow(app: TestApp, linkId: string) {
  const text = 'select id, status, ended_at is not null as ended from fan_subscriptions where link_id = $1';
  return (await readRows<{ id: string; status: string; ended: boolean }>(app, text, [linkId]))[0];
}

export type FanStage = Awaited<ReturnType<typeof openFanStage>>;

export const countOf = (templates: readonly string[], wanted: string): number =>
  templates.filter((template) => template === wanted).length;

/** A card that can be kept, and is declined for every payment. */
export const chargesFail = '4000000000000341';

/** Whoever pays a subscription gives this card in the place of the one that has paid, in the portal, and it counts from the next month on. */
export async function failNextMonths({ engines }: Pick<TestApp, 'engines'>, subscriptionId: string): Promise<void> {
  const { payments, sandbox, installation } = engines;
  const { customerId } = await payments.findSubscription(subscriptionId);
  await sandbox?.changeCard(sessionOf(await payments.cardUrl(customerId, installation.publicUrl)), chargesFail);
  await payments.setCard(subscriptionId, (await payments.findCustomerCard(customerId)) ?? '');
}
