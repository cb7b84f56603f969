import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { PaymentRefused, PaymentsAway } from '#engines/payments/payments.ts';
import { runReleases } from '#features/held/releasing.ts';
import { findDrift, reconcile } from '#features/money/reconcile.ts';
import { hourMs } from '#kit/time.ts';
import { type Asked, askAtLink, emailsTo, payFor, takeRequests } from '#tests/support/money/requests.ts';
import { connectPayouts } from '#tests/support/money/selling.ts';
import { advance, must, readRow } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runRequestsCommand } from '../commands.ts';
import { describeCreator } from './request-words.ts';

let app: TestApp;
let shared: SharedAlbum;
let accountId: string;
const operatorEmail = 'operator@example.com';

beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  app = await openTestApp({ workJobs: false, log });
  Object.assign(app.engines.installation, { operatorEmail });
  app.engines.sandbox?.deliverTo(undefined);
});
beforeEach(async () => {
  shared = await shareAlbum(app, { count: 1 });
  accountId = await connectPayouts(app, shared.creator);
  await takeRequests(app, shared.creator);
});
afterAll(() => app.close());

/** Somebody accepts what was delivered, after the provider has closed the creator's account. */
async function acceptedForClosed(): Promise<Asked> {
  await app.engines.sandbox?.answerOnboarding(accountId, true);
  const asked = await askAtLink(app, shared);
  await must(app, 'requests.accept', { requestId: asked.id, days: 7 }, shared.creator.browser);
  await payFor(app, asked);
  await must(app, 'requests.deliver', { requestId: asked.id, albumId: shared.albumId }, shared.creator.browser);
  await app.engines.sandbox?.rejectAccount(accountId);
  await must(app, 'requests.say', { code: asked.code, what: 'accept' }, asked.browser);
  return asked;
}

const pf = (verb?: string, id?: string, note?: string) =>
  runRequestsCommand(app.engines, { verb, id, amount: undefined, note });
const shownToHer = async ({ id }: Asked) => must(app, 'requests.one', { requestId: id }, shared.creator.browser);
const mailsAbout = async ({ id }: Asked) =>
  (await emailsTo(app, operatorEmail)).filter((text) => text.includes(id)).map((text) => text.replaceAll(/\s+/g, ' '));
const movedOf = async ({ id }: Asked) => {
  await reconcile(app.engines);
  return readRow(
    app,
    `select (select count(*)::int from sandbox_objects where type = 'transfer' and body->>'transfer_group' = 'req_' || $1) as transfers,
      (select coalesce(sum(e.amount_cents), 0)::int from ledger_entries e join ledger_accounts a on a.id = e.account_id
        where a.key = 'liability:held:' || $1) as held`,
    [id],
  );
};
const waits = 'Done. The payment waits until your payout account can take it.';
const reported = {
  creatorName: '',
  isCounter: false,
  amount: '',
  day: '',
  endReason: null,
  wasRevised: false,
  returned: '',
};

it('a release that is refused is shown to its creator and told to the operator once, and made when her account takes it', async () => {
  const asked = await acceptedForClosed();
  const shown = await shownToHer(asked);
  expect(shown).toMatchObject({ state: 'released', sending: 'waits' });
  expect(describeCreator({ ...reported, ...shown })).toBe(waits);
  expect(await pf()).toMatch(new RegExp(`${asked.id}.*ITS RELEASE IS REFUSED`));
  expect(await pf('show', asked.id)).toContain('waits until the payout account of its creator can take it');
  advance(app, 23 * hourMs);
  await runReleases(app.engines);
  expect(await mailsAbout(asked), 'for less than a day').toEqual([]);
  advance(app, 2 * hourMs);
  await Promise.all([1, 2].map(() => runReleases(app.engines, asked.id)));
  advance(app, 7 * hourMs);
  await runReleases(app.engines);
  const mails = await mailsAbout(asked);
  expect(mails).toEqual([expect.stringContaining('$36.00')]);
  expect(mails[0]).toContain(`requests show ${asked.id}`);
  advance(app, 31 * 24 * hourMs);
  expect(await pf(), 'however long ago').toContain(asked.id);
  await app.engines.sandbox?.answerOnboarding(accountId, true);
  await runReleases(app.engines);
  expect(await movedOf(asked)).toEqual({ transfers: 1, held: 0 });
  expect(await must(app, 'requests.show', { code: asked.code }, newBrowser())).toMatchObject({ state: 'released' });
  expect(await pf()).not.toContain('REFUSED');
});

it('a provider that is away, or a balance that is too small, is not her account', async () => {
  const { payments } = app.engines;
  const { release } = payments;
  const asked = await acceptedForClosed();
  const shownAfter = async (error: Error) => {
    payments.release = () => Promise.reject(error);
    await runReleases(app.engines, asked.id).finally(() => {
      payments.release = release;
    });
    return describeCreator({ ...reported, ...(await shownToHer(asked)) });
  };
  const onWay = 'Done. Your share is on its way.';
  expect(await shownAfter(new PaymentsAway('a test'))).toBe(onWay);
  expect(await shownAfter(new PaymentRefused('insufficient', 'Too little.'))).toBe(onWay);
  expect(await shownAfter(new PaymentRefused('unknown', 'No such account.'))).toBe(waits);
});

it('what her account does not take the operator gives back, and only while nothing of it has left', async () => {
  const [asked, taken] = [await acceptedForClosed(), await acceptedForClosed()];
  await expect(pf('release', asked.id, 'Again.')).rejects.toThrow('released');
  expect(await pf('refund', asked.id, 'Her account is closed.')).toContain('$40.00 go back');
  const shown = { state: 'refunded', endReason: 'decided', refundedCents: 4000, canOpen: false };
  expect(await must(app, 'requests.show', { code: asked.code }, newBrowser())).toMatchObject(shown);
  expect(await shownToHer(asked)).toMatchObject({ sending: null });
  await app.engines.sandbox?.answerOnboarding(accountId, true);
  await runReleases(app.engines, asked.id);
  expect(await movedOf(asked)).toEqual({ transfers: 0, held: 0 });
  // Their account takes it by now: it is theirs.
  await expect(pf('refund', taken.id, 'Her account is closed.')).rejects.toThrow('released');
  expect(await movedOf(taken)).toEqual({ transfers: 1, held: 0 });
  expect(await findDrift(app.engines)).toEqual([]);
});
