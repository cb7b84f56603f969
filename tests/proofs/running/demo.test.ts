import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedDemo, seedWeek, trySeedDemo } from '#app/dev/demo.ts';
import { askers } from '#app/dev/demo-asking.ts';
import { albumCents, payments, tierCents } from '#app/dev/demo-fans.ts';
import { visitsOfPhotos, visitsOfVideo } from '#app/dev/demo-people.ts';
import { requestsOfWeek } from '#app/dev/demo-requests.ts';
import { openWalls } from '#engines/children/walls.ts';
import { openVideoEngine } from '#engines/video/open-engine.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { readRows } from '#tests/support/people.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { guards } from '../counts.ts';

guards('src/app/dev/**', 'src/features/**', 'db/migrations/**');

const root = path.resolve(import.meta.dirname, '../../..');
const hasVideos = (await openVideoEngine(await openWalls({ hidden: [] }))) !== undefined;
let app: TestApp;
const complaints: object[] = [];
beforeAll(async () => {
  const complain = (about: object) => void complaints.push(about);
  app = await openTestApp({ log: { info: () => undefined, warn: complain, error: complain } });
});
afterAll(() => app.close());

const counts = async () =>
  (
    await readRows(
      app,
      `select (select count(*)::int from users where setup_step = 'done') as people, (select count(*)::int from albums) as albums,
        (select count(*)::int from album_items) as items, (select count(*)::int from magic_links) as links,
        (select count(*)::int from viewer_sessions) as visits, (select count(*)::int from viewers) as viewers,
        (select count(*)::int from traces) as traces`,
    )
  )[0];

/** Begins something and breaks it off as soon as the database holds this. */
async function breakOffAt(
  what: 'people' | 'items' | 'visits',
  number: number,
  seed: typeof seedDemo | typeof seedWeek = seedDemo,
): Promise<void> {
  const ending = new AbortController();
  const ended = expect(seed(app.engines, root, ending.signal)).rejects.toMatchObject({ name: 'AbortError' });
  while (Number((await counts())?.[what]) < number) await wait(10);
  ending.abort();
  await ended;
}

/** What is printed, of which there may be more than one. */
async function hearDemo(from = root): Promise<string> {
  const said: string[] = [];
  await trySeedDemo(app.engines, from, (words) => said.push(words));
  return said.join('');
}

const unfinished = () => existsSync(path.join(app.engines.installation.dataDir, 'demo-unfinished'));
let creator: Browser;
const ask = async (procedure: string, input: object = {}) => {
  const { status, body } = await app.call(procedure, input, creator);
  expect(status, procedure).toBe(200);
  return body;
};

test('a demo that is broken off again and again is finished by the next start, once', async () => {
  await breakOffAt('people', 1);
  await breakOffAt('items', 3);
  await breakOffAt('items', 9);
  // A demo that fails ends no start: it is said in one line, and the next start goes on.
  expect(await hearDemo('/nowhere')).toMatch(/^The demo could not be created: .+\. The next start will try again\.$/);
  expect(await counts()).toMatchObject({ links: 0 });
  const words = await seedDemo(app.engines, root);
  expect(await counts()).toMatchObject({ people: 2, albums: 2, items: 12, links: 3, visits: 0 });
  expect(await readRows(app, `select state from media group by 1`)).toEqual([{ state: 'ready' }]);
  expect(await seedDemo(app.engines, root), 'only its week is still to come').toBeUndefined();

  // What is printed works: both passwords and the link.
  for (const who of ['creator', 'admin']) {
    const [, email = '', password = ''] = new RegExp(`${who} +(\\S+) +(\\S+)`).exec(words ?? '') ?? [];
    const browser = newBrowser();
    expect((await app.call('accounts.signIn', { email, password }, browser)).status).toBe(200);
    expect((await app.call('accounts.me', {}, browser)).body.needsSecondFactor).toBe(who === 'admin');
    if (who === 'creator') creator = browser;
  }
  const slug = (await settingsOf(app.engines))['marketing.demoLinkSlug'];
  expect(words).toContain(`/view/${slug}`);
});

test('its week is broken off, finished by the next start and made once', async () => {
  await breakOffAt('visits', 4, seedWeek);
  await breakOffAt('visits', 9, seedWeek);
  expect(unfinished()).toBe(true);
  expect(await hearDemo(), 'its passwords are not printed again').toBe('');
  expect(unfinished()).toBe(false);
  const visits = [...visitsOfPhotos, ...(hasVideos ? visitsOfVideo : [])];
  const made = {
    people: 2,
    ...(hasVideos ? { albums: 3, items: 13, links: 13 } : { albums: 2, items: 12, links: 12 }),
    // And the one during which its link is revoked.
    visits: visits.length + payments.length + 1,
    viewers: new Set(visits.map(({ who }) => who)).size + payments.length + requestsOfWeek.length + askers.length,
    traces: 1,
  };
  expect(await counts()).toEqual(made);
  expect(await hearDemo()).toBe('');
  expect(await counts()).toEqual(made);
});

test('a creator sees who came, from where and on what', async () => {
  const { figures, days, countries, devices, apps } = await ask('insights.overview', { days: 7 });
  expect(figures.uniqueViewers).toBeGreaterThan(10);
  expect(figures.views).toBeGreaterThan(figures.uniqueViewers);
  expect(figures.screensClosed, 'one was open when its link was revoked').toBe(1);
  expect(days.filter(({ views }: { views: number }) => views > 0).length).toBeGreaterThan(4);
  expect(countries.length).toBeGreaterThan(7);
  const names = (list: { name: string }[]) => list.map(({ name }) => name);
  expect(names(countries), 'everybody comes from somewhere').not.toContain('');
  expect(names(devices)).toEqual(expect.arrayContaining(['iPhone', 'Android', 'Windows', 'Mac']));
  expect(names(apps)).toContain('instagram');
  const { viewers } = await ask('insights.viewers', { days: 7 });
  expect(viewers.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['Bob', 'Lena', 'Theo']));
  const { visits, robots } = await ask('insights.notCounted', { days: 7 });
  expect(visits).toMatchObject([{ notCounted: 'short' }]);
  expect(robots).toMatchObject([{ linkName: 'Theo', opens: 1 }]);
});

test('one person waits to be let in, and one was turned down', async () => {
  const { requests, pendingCount } = await ask('access.requests', { limit: 100 });
  const reported = requests.map(({ requesterName, status }: { requesterName: string; status: string }) => [
    requesterName,
    status,
  ]);
  expect([pendingCount, reported]).toEqual([
    1,
    [
      ['Lucia', 'pending'],
      ['J', 'denied'],
    ],
  ]);
});

test('one link is revoked, and one copy names its link', async () => {
  const { links } = await ask('links.list');
  const revoked = links.filter(({ isRevoked }: { isRevoked: boolean }) => isRevoked);
  expect(revoked).toMatchObject([{ linkName: 'Theo', uniqueViewers: 1, dark: { screens: 1 } }]);
  const { traces } = await ask('tracing.list');
  const { outcome, links: named } = await ask('tracing.one', { traceId: traces[0].id });
  expect({ outcome, named }).toMatchObject({ outcome: 'traced', named: [{ linkName: 'Jules', word: 'traced' }] });
});

test.skipIf(!hasVideos)('a video has a curve of who stayed until when', async () => {
  const { videos } = await ask('insights.videos', { days: 7 });
  const [video] = videos;
  // The job that ends quiet visits goes by the real clock, and may have cost somebody a few seconds.
  expect(video.plays).toBeGreaterThan(visitsOfVideo.length - 3);
  const { seconds } = await ask('insights.retention', { days: 7, mediaId: video.mediaId });
  expect(seconds[0]).toBe(video.plays);
  expect(seconds.at(-1)).toBeLessThan(seconds[0]);
});

test('its creator has earned, has given one payment back, and waits for the review of her first payout', async () => {
  const listSold = async () =>
    (await ask('money.listEarnings', { limit: 100 })).rows.filter(({ kind }: { kind: string }) => kind !== 'refund');
  // The provider is asked for a refund by a job of each minute.
  await expect.poll(async () => (await listSold()).map(({ state }: { state: string }) => state)).toContain('refunded');
  const sold = await listSold();
  expect(sold.map(({ grossCents }: { grossCents: number }) => grossCents).toSorted()).toEqual(
    payments.map(({ amountCents }) => amountCents).toSorted(),
  );
  const of = (wanted: string) => sold.filter(({ state }: { state: string }) => state === wanted);
  for (const state of ['refunded', 'disputed'])
    expect(of(state), state).toMatchObject([{ kind: 'album', grossCents: albumCents }]);
  const { subscribers, monthlyCents } = await ask('fans.tiers');
  expect({ subscribers, monthlyCents }).toEqual({ subscribers: 2, monthlyCents: 2 * (tierCents - 100) });
  const { balance, earnings } = await ask('money.earnings');
  expect(earnings.lifetimeEarned).toBe(balance.available + balance.pending);
  expect(balance.pending, 'of what was paid today').toBeGreaterThan(0);
  const { holds } = await ask('money.payouts');
  expect(holds).toMatchObject([{ code: 'REVIEW_NEW' }]);
});

test('its creator is asked for custom work, once in each state that is not over', async () => {
  const { rows } = await ask('requests.list', { filter: 'open' });
  const states = rows.map(({ title, state }: { title: string; state: string }) => `${title}: ${state}`);
  expect(states.toSorted()).toEqual(requestsOfWeek.map(({ title, end }) => `${title}: ${end}`).toSorted());
});

test('nobody who starts it reads a complaint', async () => {
  await wait(3000); // what was begun in its past and goes on after it
  expect(complaints).toEqual([]);
});
