import { afterAll, beforeAll, expect, it } from 'vitest';
import { syncObject } from '#features/money/sync-object.ts';
import { heldTerms } from '#features/notices/refund-promise.ts';
import { type Asked, askAtLink, payFor, takeRequests } from '#tests/support/money/requests.ts';
import { connectPayouts, tapDoor } from '#tests/support/money/selling.ts';
import { must, readRow } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { answerDisputes } from './answering-disputes.ts';
import { runDisputesCommand } from './disputes-command.ts';

let app: TestApp;
let shared: SharedAlbum;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.engines.sandbox?.deliverTo(undefined);
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  await takeRequests(app, shared.creator);
});
afterAll(() => app.close());

async function paid(): Promise<Asked> {
  const asked = await askAtLink(app, shared);
  await must(app, 'requests.accept', { requestId: asked.id, days: 7 }, shared.creator.browser);
  await payFor(app, asked);
  return asked;
}

/** The buyer goes to the bank. @returns what staff read of it */
async function showDisputed({ id }: Asked): Promise<string> {
  const { charge } = await readRow<{ charge: string }>(
    app,
    'select charge_id as charge from checkout_orders where request_id = $1',
    [id],
  );
  const disputeId = (await app.engines.sandbox?.dispute(charge)) ?? '';
  await syncObject(app.engines, disputeId);
  await answerDisputes(app.engines);
  return runDisputesCommand(app.engines, { verb: 'show', id: disputeId, folder: undefined, note: undefined });
}

it('of custom work tells when it was delivered, looked at and accepted, and what was mailed', async () => {
  const asked = await paid();
  await must(app, 'requests.deliver', { requestId: asked.id, albumId: shared.albumId }, shared.creator.browser);
  const { viewPath } = await must(app, 'requests.open', { code: asked.code }, asked.browser);
  await tapDoor(app, viewPath.split('/').at(-1), asked.browser);
  await must(app, 'requests.say', { code: asked.code, what: 'accept' }, asked.browser);
  const said = await showDisputed(asked);
  expect(said).toMatch(/access_activity_log:\n\d{4}-\d\d-\d\d \d\d:\d\d UTC · \d+ s/);
  expect(said).toContain('Delivered to the buyer’s browser: 1 photo');
  expect(said).toMatch(/\nDelivered on \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\nThe buyer accepted the delivery on \d{4}/);
  for (const subject of ['Your request was answered', 'Your request was delivered']) expect(said).toContain(subject);
  expect(said).toContain(`beside the button that pays: “${heldTerms}”`);
  expect(said).toContain('Next: submitted a day before');
});

it('of custom work that was not delivered says so, and waits for staff', async () => {
  const said = await showDisputed(await paid());
  expect(said).toContain('It had not been delivered when the payment was disputed.');
  expect(said).toContain('The buyer has not opened what was paid for.');
  expect(said).toContain('Next: never opened: WAITS FOR YOU');
});
