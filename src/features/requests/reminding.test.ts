import { afterAll, beforeAll, expect, it } from 'vitest';
import { hourMs } from '#kit/time.ts';
import { askAtLink, emailsTo, payFor, takeRequests } from '#tests/support/money/requests.ts';
import { connectPayouts } from '#tests/support/money/selling.ts';
import { advance, must, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { tendRequests } from './jobs.ts';

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

async function delivered() {
  const asked = await askAtLink(app, shared);
  await must(app, 'requests.accept', { requestId: asked.id, days: 7 }, shared.creator.browser);
  await payFor(app, asked);
  await must(app, 'requests.deliver', { requestId: asked.id, albumId: shared.albumId }, shared.creator.browser);
  return asked;
}

it('the operator is told of what waits for a decision, and once more a day before the promised time', async () => {
  const { id: requestId, code, browser } = await delivered();
  await must(app, 'requests.say', { code, what: 'complain', text: 'Only half.' }, browser);
  const reported = async () => (await emailsTo(app, operatorEmail)).filter((text) => text.includes(requestId)).length;
  expect(await reported()).toBe(1);
  advance(app, 95 * hourMs);
  await tendRequests(app.engines);
  expect(await reported(), 'an hour before').toBe(1);
  advance(app, hourMs);
  await Promise.all([tendRequests(app.engines), tendRequests(app.engines)]);
  await tendRequests(app.engines);
  expect(await reported()).toBe(2);
});

it('a creator who has not delivered a change is told that, and nothing of a complaint', async () => {
  const { id, code, browser } = await delivered();
  await must(app, 'requests.say', { code, what: 'revise', text: 'In blue, please.' }, browser);
  advance(app, 9 * 24 * hourMs);
  await tendRequests(app.engines);
  const stages = `select about ->> 'stage' as stage from notices where user_id = $1 and event = 'request' and about ->> 'requestId' = $2 order by id desc limit 1`;
  expect(await readRows(app, stages, [shared.creator.userId, id])).toEqual([{ stage: 'late' }]);
});
