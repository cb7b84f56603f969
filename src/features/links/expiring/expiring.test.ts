import { afterAll, beforeAll, expect, it } from 'vitest';
import { hourMs } from '#kit/time.ts';
import { readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { notifyExpiring } from './expiring.ts';

let app: TestApp;
let shared: SharedAlbum;
const noon = '2026-11-21T12:00:00.000Z';
beforeAll(async () => {
  app = await openTestApp({ now: noon, workJobs: false });
  shared = await shareAlbum(app);
});
afterAll(() => app.close());

const atHour = (hours: number) => new Date(Date.parse(noon) + hours * hourMs);
const setEnd = (id: string, hours: number) =>
  readRows(app, 'update magic_links set expires_at = $2 where id = $1', [id, atHour(hours)]);
const toldOf = async (id: string) =>
  (
    await readRows<{ at: string }>(
      app,
      `select about ->> 'at' as at from notices where event = 'link_expires' and about ->> 'linkId' = $1 order by id`,
      [id],
    )
  ).map(({ at }) => (Date.parse(at) - Date.parse(noon)) / hourMs);
async function notifyAt(hours: number): Promise<void> {
  app.setNow(atHour(hours).toISOString());
  await Promise.all([notifyExpiring(app.engines), notifyExpiring(app.engines)]);
}

it('a link is told of within 24 hours of its end, once, and again when it got another end', async () => {
  const { id } = await shared.makeLink();
  await setEnd(id, 72);
  await notifyAt(47.9);
  expect(await toldOf(id)).toEqual([]);
  await notifyAt(48);
  await notifyAt(50);
  expect(await toldOf(id)).toEqual([72]);
  await setEnd(id, 120);
  await notifyAt(95);
  expect(await toldOf(id)).toEqual([72]);
  await notifyAt(97);
  expect(await toldOf(id)).toEqual([72, 120]);
});

it('a link for two days or less, a revoked one and one that has ended are not told of', async () => {
  app.setNow(noon);
  const [short, revoked, ended] = [await shared.makeLink(), await shared.makeLink(), await shared.makeLink()];
  await setEnd(short.id, 48);
  for (const { id } of [revoked, ended]) await setEnd(id, 72);
  await app.call('links.revoke', { linkIds: [revoked.id] }, shared.creator.browser);
  await notifyAt(47);
  await setEnd(ended.id, 60);
  await notifyAt(60);
  for (const { id } of [short, revoked]) expect(await toldOf(id)).toEqual([]);
  expect(await toldOf(ended.id)).toEqual([]);
});
