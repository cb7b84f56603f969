import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { askAtLink, emailsTo, hourMs, payFor, takeRequests } from '#tests/support/money/requests.ts';
import { connectPayouts } from '#tests/support/money/selling.ts';
import { must, pass } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { tendRequests } from './jobs.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const operatorEmail = 'operator@example.com';
let app: TestApp;
let shared: SharedAlbum;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  Object.assign(app.engines.installation, { operatorEmail });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  await takeRequests(app, shared.creator);
});
afterAll(() => app.close());

it('the operator is told of what waits for a decision, and once more a day before the promised time', async () => {
  const asked = await askAtLink(app, shared);
  const { id: requestId, code, browser } = asked;
  await must(app, 'requests.accept', { requestId, days: 7 }, shared.creator.browser);
  await payFor(app, asked);
  await must(app, 'requests.deliver', { requestId, albumId: shared.albumId }, shared.creator.browser);
  await must(app, 'requests.say', { code, what: 'complain', text: 'Only half.' }, browser);
  const told = async () => (await emailsTo(app, operatorEmail)).filter((text) => text.includes(requestId)).length;
  expect(await told()).toBe(1);
  pass(app, 95 * hourMs);
  await tendRequests(app.engines);
  expect(await told(), 'an hour before').toBe(1);
  pass(app, hourMs);
  await Promise.all([tendRequests(app.engines), tendRequests(app.engines)]);
  await tendRequests(app.engines);
  expect(await told()).toBe(2);
});
