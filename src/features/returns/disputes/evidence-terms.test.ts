import { afterAll, beforeAll, expect, it } from 'vitest';
import { settleFans } from '#features/money/fans/fan-jobs.ts';
import { refundPromise, renewalTerms } from '#features/notices/refund-promise.ts';
import { formatUtc } from '#kit/time.ts';
import { type DisputeWorld, openDisputeWorld } from '#tests/support/money/disputing.ts';
import { fansToOpen, makeTier, subscribe } from '#tests/support/money/fans.ts';
import { tapDoor } from '#tests/support/money/selling.ts';
import { advance, readRow, readRows, signInQuickly } from '#tests/support/people.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { answerDisputes } from './answering-disputes.ts';
import { runDisputesCommand } from './disputes-command.ts';

const day = 86_400_000;
let app: TestApp;
let world: DisputeWorld;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  world = await openDisputeWorld(app);
});
afterAll(() => app.close());

interface Month {
  orderId: string;
  chargeId: string;
  orderedAt: Date;
  paidAt: Date;
  terms: string | null;
}

/** Months that were paid, oldest first. */
const monthsOf = (linkId: string) =>
  readRows<Month>(
    app,
    `select id as "orderId", charge_id as "chargeId", created_at as "orderedAt", paid_at as "paidAt", terms_shown as terms
     from checkout_orders where link_id = $1 order by paid_at`,
    [linkId],
  );

/** Somebody who subscribed and paid for a second month. */
async function renewed() {
  const tierId = await makeTier(app, world.creator);
  const { slug, id } = await world.shared.makeLink(fansToOpen([tierId]), { expiry: { kind: 'never' } });
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  await subscribe(app, { slug, browser, tierId }, { email: `${slug}@example.com` });
  advance(app, 32 * day);
  world.creator.browser = await signInQuickly(app, world.creator.userId);
  await settleFans(app.engines, 0);
  const [first, second] = await monthsOf(id);
  if (first === undefined || second === undefined) throw new Error('there is no second month');
  return { first, second };
}

/** The buyer goes to the bank. @returns what staff read of it */
async function showDisputed(sold: { chargeId: string }): Promise<string> {
  const id = await world.dispute(sold);
  await answerDisputes(app.engines);
  return runDisputesCommand(app.engines, { verb: 'show', id, folder: undefined, note: undefined });
}

const keepTerms = (orderId: string, terms: string | null) =>
  readRows(app, 'update checkout_orders set terms_shown = $2 where id = $1', [orderId, terms]);

it('of a later month quotes what was shown when the subscription began, and says that it was renewed', async () => {
  const { first, second } = await renewed();
  expect([first.terms, second.terms]).toEqual([renewalTerms, null]);
  const said = await showDisputed(second);
  const shown = `Shown when the subscription began, on ${formatUtc(first.orderedAt)}, beside the button that pays: “${renewalTerms}”`;
  expect(said).toContain(`refund_policy_disclosure:\n${shown}`);
  expect(said).toContain(`cancellation_policy_disclosure:\n${shown}`);
  expect(said).toContain(
    `The subscription was ordered on ${formatUtc(first.orderedAt)} and renewed on ${formatUtc(second.paidAt)}, for $9.99.`,
  );
  expect(said).not.toContain(`on ${formatUtc(second.orderedAt)}, beside`);
});

it('of its first month says that it was ordered', async () => {
  const { first } = await renewed();
  const said = await showDisputed(first);
  expect(said).toContain(
    `Shown with the order, on ${formatUtc(first.orderedAt)}, beside the button that pays: “It renews`,
  );
  expect(said).toContain(`$9.99 was ordered on ${formatUtc(first.orderedAt)} and paid on ${formatUtc(first.paidAt)}.`);
});

it('of a later month whose first order is gone claims neither terms nor when it was ordered', async () => {
  const { first, second } = await renewed();
  await readRows(app, 'update checkout_orders set fan_subscription_id = null where id = $1', [first.orderId]);
  const said = await showDisputed(second);
  expect(said).toContain(`The subscription renewed on ${formatUtc(second.paidAt)}, for $9.99.`);
  expect(said).not.toMatch(/policy_disclosure|It renews until/);
});

it('quotes the words of the day on which it was ordered, not those of today', async () => {
  const sold = await world.sell();
  const kept = await readRow(app, 'select terms_shown as terms from checkout_orders where id = $1', [sold.orderId]);
  expect(kept).toEqual({ terms: refundPromise });
  await keepTerms(sold.orderId, 'Nothing is paid back after a day.');
  const said = await showDisputed(sold);
  expect(said).toContain('beside the button that pays: “Nothing is paid back after a day.”');
  expect(said).not.toContain(refundPromise);
});

it.each([
  ['told none', undefined],
  ['had been loaded before they changed', 'You are refunded whenever you like.'],
])('claims no terms of an order whose page %s', async (_, shownTerms) => {
  const sold = await world.sell({ params: { shownTerms } });
  const kept = await readRow(app, 'select terms_shown as terms from checkout_orders where id = $1', [sold.orderId]);
  expect(kept).toEqual({ terms: null });
  expect(await showDisputed(sold)).not.toMatch(/refund_policy_disclosure|Shown|beside the button/);
});

it('of an order from before words were kept does not claim that any were shown', async () => {
  const sold = await world.sell();
  await keepTerms(sold.orderId, null);
  const said = await showDisputed(sold);
  expect(said).not.toMatch(/refund_policy_disclosure|Shown|beside the button/);
  expect(said).toContain('cancellation_policy_disclosure:\nOne payment, which does not renew');
  expect(said).toMatch(/\$50\.00 was ordered on .* and paid on/);
});
