import { afterAll, beforeAll, expect, it } from 'vitest';
import { askAtLink, takeRequests } from '#tests/support/money/requests.ts';
import { connectPayouts } from '#tests/support/money/selling.ts';
import { advance, must } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  await takeRequests(app, shared.creator);
});
afterAll(() => app.close());

const list = (input: object) => must(app, 'requests.list', input, shared.creator.browser);
const idsOf = ({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id);

it('is shown by pages where requests are over, the newest first, each once, and whole where they are open', async () => {
  const done: string[] = [];
  for (const n of [1, 2, 3, 4, 5]) {
    if (n > 2) advance(app, 1000);
    const { id } = await askAtLink(app, shared);
    await must(app, 'requests.decline', { requestId: id }, shared.creator.browser);
    done.push(id);
  }
  // An id begins with its moment, and tells the two of one moment apart.
  done.sort().reverse();
  const open = [await askAtLink(app, shared), await askAtLink(app, shared)].map(({ id }) => id);
  const first = await list({ filter: 'done', limit: 2 });
  const second = await list({ filter: 'done', limit: 2, cursor: first.nextCursor });
  const third = await list({ filter: 'done', limit: 2, cursor: second.nextCursor });
  expect([first, second, third].map(idsOf)).toEqual([done.slice(0, 2), done.slice(2, 4), done.slice(4)]);
  expect(third).toMatchObject({ nextCursor: null, open: 2, waiting: 2, isOn: true });
  const all = await list({ filter: 'open', limit: 1 });
  expect(idsOf(all).toSorted()).toEqual(open.toSorted());
  expect(all.nextCursor).toBeNull();
});

it('refuses a place that there is none of', async () => {
  expect((await app.call('requests.list', { cursor: 'x' }, shared.creator.browser)).status).toBe(422);
});
