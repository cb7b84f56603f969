// Alone: it measures how long others wait.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countViewerRows, type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { headersOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { phone } from '#tests/support/viewer-api.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
});
afterAll(() => app.close());

/** A tap from an address, which is a newcomer's unless there are cookies. */
const tapFrom = (address: string, slug: string, cookies = new Map<string, string>()) =>
  app.fastify.inject({
    method: 'POST',
    url: `/api/view/${slug}/open`,
    remoteAddress: address,
    headers: {
      'content-type': 'application/json',
      origin: 'http://localhost:3000',
      'user-agent': phone,
      ...headersOf({ cookies }),
    },
    payload: '{"firstScreen":0}',
  });
const many = 70;
/** So many that the last of them waits longer than others take on a busy machine. */
const crowded = 68;
const tapMany = (address: string, slug: string, length = many) => Array.from({ length }, () => tapFrom(address, slug));
const statusesOf = async (answers: ReturnType<typeof tapFrom>[]) =>
  new Set((await Promise.all(answers)).map(({ statusCode }) => statusCode));

describe('very many newcomers of one network', () => {
  it('are let in one after the other, and keep neither another network waiting nor who was here before', async () => {
    const { slug } = await shared.makeLink();
    const friend = newBrowser();
    await shared.viewerApi.tap(slug, {}, friend);
    const before = await countViewerRows(app);
    let letIn = 0;
    const crowd = tapMany('203.0.113.1', slug, crowded);
    for (const answer of crowd) void Promise.resolve(answer).then(() => letIn++);
    const others = await Promise.all([tapFrom('203.0.113.2', slug), tapFrom('203.0.113.1', slug, friend.cookies)]);
    expect([others.map(({ statusCode }) => statusCode), letIn < crowded]).toEqual([[200, 200], true]);
    expect(await statusesOf(crowd), 'nobody is locked out').toEqual(new Set([200]));
    const after = await countViewerRows(app);
    expect((after.viewers ?? 0) - (before.viewers ?? 0)).toBe(crowded + 1);
  });

  it('are decided again after their wait: a link that has ended meanwhile opens to none of them', async () => {
    const { slug } = await shared.makeLink({}, { expiry: { kind: 'after', hours: 1 } });
    // Some of them still wait when the last ones come.
    await Promise.all(tapMany('203.0.113.3', slug, 64).slice(0, 60));
    const waiting = Array.from({ length: 4 }, () => tapFrom('203.0.113.3', slug));
    await new Promise((next) => setTimeout(next, 300));
    app.setNow('2026-11-21T13:00:00Z');
    expect(await statusesOf(waiting)).toEqual(new Set([410]));
    app.setNow('2026-11-21T12:00:00Z');
  });
});

it('a network whose taps lead nowhere waits before anything is looked up for it, and no other one does', async () => {
  const { slug } = await shared.makeLink();
  expect(await statusesOf(Array.from({ length: many }, (_, n) => tapFrom('203.0.113.4', `nobody-has-${n}`)))).toEqual(
    new Set([410]),
  );
  const order: string[] = [];
  const come = async (address: string) => {
    const { statusCode } = await tapFrom(address, slug);
    order.push(address);
    return statusCode;
  };
  const guessing = come('203.0.113.4');
  await come('203.0.113.5');
  await come('203.0.113.6');
  expect(order).toEqual(['203.0.113.5', '203.0.113.6']);
  expect(await guessing).toBe(200);
});
