import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import type { Streamed } from '#tests/support/viewer-api.ts';
import { countOf, guards, isFull, p99Of, printProof } from '../counts.ts';
import {
  blockAll,
  callsAtOnce,
  type Got,
  keepAsking,
  type Looking,
  lockAlbum,
  openScreens,
  renew,
  small,
} from './open-screens.ts';

guards('src/features/links/**', 'src/features/access/**', 'src/features/viewing/**', 'src/wire/live.ts');

/** Many look at one link, each with the line of news open, calls going on and a stream in the middle; then it is taken back. */
const viewers = countOf(20, 200, 1000);
const patience = { timeout: countOf(120_000, 3_600_000) };
/** How long a screen may show what it has when nobody tells it anything. */
const longestMs = 30_000;
/** How soon the live line tells an open screen that it is over, where a call takes no longer than in peace. */
const promisedMs = 2000;
const peacefulCallMs = 100;
/** A machine that is slower than so many times says nothing about how soon anybody is told. */
const mostSlowness = 3;

let app: TestApp;
let shared: SharedAlbum;
let requests = 0;
let mostMs = 0;
const closeMs: number[] = [];
/** What was given by calls that began after the answer. */
const given = { leases: 0, renewals: 0, keys: 0 };
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
});
afterAll(async () => {
  const figures = { ...given, closeP99Ms: Math.round(p99Of(closeMs)), withoutLineMs: mostMs };
  printProof('revoke', requests, { viewers, ...figures });
  await app.close();
});

const countLeases = async () => (await readRows(app, 'select id from key_leases')).length;
const asCreator = (procedure: string, input: object) => app.call(procedure, input, shared.creator.browser);
const revoke = ({ link }: Looking) => asCreator('links.revoke', { linkIds: [link.id] });

/** What is done to a link, and the news of it. */
type Act = readonly [act: (looking: Looking) => Promise<{ status: number }>, news: string];

/** Everything by which a creator closes what is open: the call, the news of it, and the reason that is told. */
const endings = {
  'the link is revoked': [revoke, 'link.revoked', 'REVOKED'],
  'the links of the album are revoked': [
    ({ albumId }) => asCreator('links.revokeAll', { albumId }),
    'link.revoked',
    'REVOKED',
  ],
  'the album is archived': [
    ({ albumId }) => asCreator('albums.archive', { albumId }),
    'album.closed',
    'ALBUM_UNAVAILABLE',
  ],
  'the album is deleted': [
    ({ albumId }) => asCreator('albums.remove', { albumId }),
    'album.closed',
    'ALBUM_UNAVAILABLE',
  ],
  // Only who moderates locks an album, and writes it down by hand.
  'the album is locked': [(looking) => lockAlbum(app, looking), 'album.closed', 'ALBUM_UNAVAILABLE'],
  // Who is blocked is told what everybody is told of a link that is not there.
  'the viewers are blocked': [(looking) => blockAll(app, shared, looking), 'viewer.blocked', 'NOT_FOUND'],
  'a rule is changed': [
    ({ link: { id: linkId } }) => {
      const geo = { mode: 'allow', countries: ['JP'], whenUnknown: 'deny' };
      return asCreator('links.update', { linkId, rules: { ageGate: false, geo } });
    },
    'link.changed',
    'GEO_BLOCKED',
  ],
} as const satisfies Record<string, readonly [...Act, string]>;

/** What the screens of a link got when something was done to it. */
interface Ended {
  status: number;
  /** Calls that began after the answer. */
  late: Got[];
  /** How long after the call each screen was told that was told at all. */
  toldMs: number[];
  /** What one call takes, in the middle. */
  callMs: number;
  streams: Streamed[];
}

/** Does something to a link at which many look, with everything going on, and gathers what they got. @param untilToldMs how long the news may take */
async function endLooking(looking: Looking, [act, news]: Act, untilToldMs = 60_000): Promise<Ended> {
  const { photos, screens } = looking;
  let isAnswered = false;
  const asking = keepAsking({ call: app.call, viewerApi: shared.viewerApi }, screens, photos[0], () => isAnswered);
  const calledAt = performance.now();
  const toldMs: number[] = [];
  const reported = Promise.all(
    screens.map(async (screen) => {
      await screen.news.next(({ kind }) => kind === news);
      toldMs.push(performance.now() - calledAt);
    }),
  );
  const { status } = await act(looking);
  isAnswered = true;
  await Promise.race([reported, wait(untilToldMs)]);
  looking.goOn();
  const got = (await asking).flat();
  requests += 4 * screens.length + got.length;
  const streams = await Promise.all(screens.map(({ stream }) => stream));
  const callMs = got.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b)[got.length >> 1] ?? 0;
  return { status, late: got.filter(({ beganAfter }) => beganAfter), toldMs: [...toldMs], callMs, streams };
}

const slownessOf = ({ callMs }: Ended) => Math.max(1, callMs / peacefulCallMs);
const isTooSlow = (ended: Ended) => slownessOf(ended) > mostSlowness;
const tooSlow = 'how soon a screen is told is not measured on so busy a machine';

/** Returns what is wrong with the end of a link, in words; nothing when it has ended for everybody at once. */
function faultsOf(ended: Ended, reason: string): string[] {
  const { status, late, toldMs, streams } = ended;
  // A machine on which a call takes longer than in peace tells as much later, too.
  const untilMs = isTooSlow(ended) ? Number.POSITIVE_INFINITY : promisedMs * slownessOf(ended);
  const isGiven = ({ renewed, leased, keys }: Got) => renewed + leased + keys > 0;
  // A machine that is too busy says 503, which gives nothing either.
  const isOtherReason = (call: Got) => !isGiven(call) && call.reason !== reason && call.reason !== 503;
  const faults: Record<string, boolean> = {
    'the act was refused': status !== 200,
    'something was given afterwards': late.some(isGiven),
    'another reason was told': late.some(isOtherReason),
    'nobody was told why': !late.some((call) => call.reason === reason),
    'a screen was not told': toldMs.length < streams.length,
    'a screen was told too late': Math.max(0, ...toldMs) > untilMs,
    'a stream went on': streams.some(({ cut, pictures }) => cut?.reason !== reason || pictures.length > 1),
  };
  return Object.keys(faults).filter((fault) => faults[fault]);
}

test.for(Object.entries(endings))(
  'after the answer that %s nobody gets a lease, a renewal or a key; streams are cut and every screen is told',
  patience,
  async ([, [act, news, reason]], { skip }) => {
    // Each is blocked by a call of its own, and more calls at once are told to come again.
    const count = news === 'viewer.blocked' ? Math.min(viewers, callsAtOnce) : viewers;
    const looking = await openScreens(app, shared, count);
    const ended = await endLooking(looking, [act, news]);
    for (const { leased, renewed, keys } of ended.late) {
      given.leases += leased;
      given.renewals += renewed;
      given.keys += keys;
    }
    expect(faultsOf(ended, reason)).toEqual([]);
    expect(ended.late).toHaveLength(5 * count);
    const leases = await countLeases();
    for (const { browser } of looking.screens) await shared.viewerApi.tap(looking.link.slug, {}, browser);
    expect(await countLeases()).toBe(leases);
    if (isFull) expect(p99Of(ended.toldMs)).toBeLessThanOrEqual(1000);
    closeMs.push(...ended.toldMs);
    skip(isTooSlow(ended), tooSlow);
  },
);

const revokeRow = ({ link }: Looking) =>
  readRows(app, 'update magic_links set is_revoked = true, revoked_at = now() where id = $1', [link.id]);
const describeRevoked = ({ link: { id: linkId } }: Looking) =>
  app.engines.database.work({ kind: 'system' }, (tx) =>
    tx.publish({ kind: 'link.revoked', creatorId: shared.creator.userId, linkId }),
  );

/** Ways in which a revocation could fail, and what has to be found of each. */
const failing: Record<string, readonly [act: Act[0], found: string[]]> = {
  'it is answered and nothing is done': [
    async () => ({ status: 200 }),
    ['something was given afterwards', 'nobody was told why', 'a screen was not told', 'a stream went on'],
  ],
  'the screens are told, and the link stays as it was': [
    async (looking) => {
      await describeRevoked(looking);
      return { status: 200 };
    },
    ['something was given afterwards', 'nobody was told why', 'a stream went on'],
  ],
  'the link is revoked, and nobody is told': [
    async (looking) => {
      await revokeRow(looking);
      return { status: 200 };
    },
    // A stream is cut all the same once a renewal of its screen was refused.
    ['a screen was not told'],
  ],
  'the link is revoked, and everybody is told when it is too late': [
    async (looking) => {
      await revokeRow(looking);
      void wait(promisedMs * mostSlowness).then(() => describeRevoked(looking));
      return { status: 200 };
    },
    ['a screen was told too late'],
  ],
};

test.for(Object.entries(failing))('planted: %s, and it is found', patience, async ([, [act, found]], { skip }) => {
  const looking = await openScreens(app, shared, 3);
  const isLate = found.includes('a screen was told too late');
  const untilToldMs = isLate ? 2 * promisedMs * mostSlowness : 1000;
  const ended = await endLooking(looking, [act, 'link.revoked'], untilToldMs);
  skip(isLate && isTooSlow(ended), tooSlow);
  const faults = faultsOf(ended, 'REVOKED');
  expect(faults.filter((fault) => found.includes('a stream went on') || fault !== 'a stream went on')).toEqual(found);
});

test(
  'the same holds while nobody listens: renewals refuse, streams are cut, and every screen hears that it missed something',
  patience,
  async () => {
    const looking = await openScreens(app, shared, viewers);
    const { photos, screens } = looking;
    await stopListening();
    expect((await revoke(looking)).status).toBe(200);
    const leases = await countLeases();
    for (const screen of screens) {
      const renewed = await renew(app, screen);
      expect([renewed.status, renewed.body.data.reason]).toEqual([410, 'REVOKED']);
      const leased = await shared.viewerApi.lease(screen.visitId, photos.map(small), screen.browser);
      expect([leased.status, leased.refusal?.reason, leased.pictures]).toEqual([410, 'REVOKED', []]);
    }
    expect(await countLeases()).toBe(leases);
    await Promise.all(
      screens.map(({ news }) => news.next(({ kind }) => kind === 'refetch' || kind === 'link.revoked')),
    );
    looking.goOn();
    expectCut(await Promise.all(screens.map(({ stream }) => stream)), 'REVOKED');
    requests += 5 * viewers;
  },
);

test('a screen without the line of news shows what it has for 30 seconds at most', patience, async () => {
  const looking = await openScreens(app, shared, viewers);
  const { screens, photos } = looking;
  for (const screen of screens) {
    const renewed = await renew(app, screen);
    const { head } = await shared.viewerApi.lease(screen.visitId, [small(photos[0])], screen.browser);
    mostMs = Math.max(mostMs, renewed.body.expiresInMs, head.expiresInMs, head.leases[0].expiresInMs);
    screen.news.close();
  }
  expect(mostMs).toBeGreaterThan(0);
  expect(mostMs).toBeLessThanOrEqual(longestMs);
  expect((await revoke(looking)).status).toBe(200);
  looking.goOn();
  for (const screen of screens) expect((await renew(app, screen)).status).toBe(410);
  requests += 6 * viewers;
});

/** Every stream ends with the reason, and with no key of what waited when the link was taken back. */
function expectCut(streams: readonly Streamed[], reason: string): void {
  expect(streams.map(({ cut }) => cut?.reason)).toEqual(streams.map(() => reason));
  expect(streams.filter(({ pictures }) => pictures.length > 1)).toEqual([]);
}

/** Ends the session that listens for the app; it comes back by itself. */
async function stopListening(): Promise<void> {
  const client = new pg.Client(app.engines.database.connection as pg.ClientConfig);
  await client.connect();
  const { rowCount } = await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and query in ('listen live', 'select 1')`,
  );
  await client.end();
  expect(rowCount).toBe(1);
}
