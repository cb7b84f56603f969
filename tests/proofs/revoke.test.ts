import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HouseInTest, openHouse } from '#tests/support/house.ts';
import { readRows } from '#tests/support/people.ts';
import type { Streamed } from '#tests/support/salon.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { countOf, isFull, tellProof } from './counts.ts';
import { keepAsking, type Looking, openScreens, renew, small } from './revoke-world.ts';

/** R3: many look at one link, each with the line of news open, calls going on and a stream in the middle; then it is taken back. */
const viewers = countOf(20, 200);
const patience = { timeout: countOf(120_000, 3_600_000) };
/** How long a screen may show what it has when nobody tells it anything. */
const longestMs = 30_000;

let house: HouseInTest;
let shared: SharedAlbum;
let requests = 0;
let mostMs = 0;
const closeMs: number[] = [];
beforeAll(async () => {
  house = await openHouse({ workJobs: false });
  shared = await shareAlbum(house, { count: 1 });
}, 120_000);
afterAll(async () => {
  const figures = { leases: 0, renewals: 0, keys: 0, closeP99Ms: Math.round(p99Of(closeMs)), withoutLineMs: mostMs };
  tellProof('revoke', requests, { viewers, ...figures });
  await house.close();
});
const p99Of = (all: readonly number[]) => all.toSorted((a, b) => a - b)[Math.ceil(0.99 * all.length) - 1] ?? 0;

const countLeases = async () => (await readRows(house, 'select id from key_leases')).length;
const asCreator = (procedure: string, input: object) => house.call(procedure, input, shared.creator.browser);
const revoke = ({ link }: Looking) => asCreator('links.revoke', { linkIds: [link.id] });

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
  'a rule is changed': [
    ({ link: { id: linkId } }) => {
      const geo = { mode: 'allow', countries: ['JP'], whenUnknown: 'deny' };
      return asCreator('links.update', { linkId, rules: { ageGate: false, geo } });
    },
    'link.changed',
    'GEO_BLOCKED',
  ],
} as const satisfies Record<string, readonly [(looking: Looking) => Promise<{ status: number }>, string, string]>;

test.each(Object.entries(endings))(
  'after the answer that %s nobody gets a lease, a renewal or a key; streams are cut and every screen is told',
  patience,
  async (_, [act, news, reason]) => {
    const looking = await openScreens(house, shared, viewers);
    const { link, photos, screens } = looking;
    let isAnswered = false;
    const asking = Promise.all(screens.map((screen) => keepAsking(house, shared, screen, photos[0], () => isAnswered)));
    const calledAt = performance.now();
    const toldMs: number[] = [];
    const told = Promise.all(
      screens.map(async (screen) => {
        await screen.news.next(({ kind }) => kind === news);
        toldMs.push(performance.now() - calledAt);
      }),
    );
    const answer = await act(looking);
    isAnswered = true;
    expect(answer.status).toBe(200);
    await told;
    looking.goOn();
    const got = (await asking).flat();
    const late = got.filter(({ beganAfter }) => beganAfter);
    expect(late).toHaveLength(5 * viewers);
    expect(late.filter(({ renewed, leased, keys }) => renewed + leased + keys > 0)).toEqual([]);
    // A machine that is too busy says 503, which gives nothing either.
    expect(late.filter((call) => call.reason !== reason && call.reason !== 503)).toEqual([]);
    expect(late.some((call) => call.reason === reason)).toBe(true);
    expectCut(await Promise.all(screens.map(({ stream }) => stream)), reason);
    const leases = await countLeases();
    for (const { browser } of screens) await shared.salon.tap(link.slug, {}, browser);
    expect(await countLeases()).toBe(leases);
    expect(toldMs).toHaveLength(viewers);
    if (isFull) expect(p99Of(toldMs)).toBeLessThanOrEqual(1000);
    closeMs.push(...toldMs);
    requests += 4 * viewers + got.length;
    looking.close();
  },
);

test(
  'the same holds while nobody listens: renewals refuse, streams are cut, and every screen hears that it missed something',
  patience,
  async () => {
    const looking = await openScreens(house, shared, viewers);
    const { photos, screens } = looking;
    await stopListening();
    expect((await revoke(looking)).status).toBe(200);
    const leases = await countLeases();
    for (const screen of screens) {
      const renewed = await renew(house, screen);
      expect([renewed.status, renewed.body.data.reason]).toEqual([410, 'REVOKED']);
      const leased = await shared.salon.lease(screen.visitId, photos.map(small), screen.browser);
      expect([leased.status, leased.refusal?.reason, leased.pictures]).toEqual([410, 'REVOKED', []]);
    }
    expect(await countLeases()).toBe(leases);
    await Promise.all(
      screens.map(({ news }) => news.next(({ kind }) => kind === 'refetch' || kind === 'link.revoked')),
    );
    looking.goOn();
    expectCut(await Promise.all(screens.map(({ stream }) => stream)), 'REVOKED');
    requests += 5 * viewers;
    looking.close();
  },
);

test('a screen without the line of news shows what it has for 30 seconds at most', patience, async () => {
  const looking = await openScreens(house, shared, viewers);
  const { screens, photos } = looking;
  for (const screen of screens) {
    const renewed = await renew(house, screen);
    const { head } = await shared.salon.lease(screen.visitId, [small(photos[0])], screen.browser);
    mostMs = Math.max(mostMs, renewed.body.expiresInMs, head.expiresInMs, head.leases[0].expiresInMs);
    screen.news.close();
  }
  expect(mostMs).toBeGreaterThan(0);
  expect(mostMs).toBeLessThanOrEqual(longestMs);
  expect((await revoke(looking)).status).toBe(200);
  looking.goOn();
  for (const screen of screens) expect((await renew(house, screen)).status).toBe(410);
  requests += 6 * viewers;
  looking.close();
});

/** Every stream ends with the reason, and with no key of what waited when the link was taken back. */
function expectCut(streams: readonly Streamed[], reason: string): void {
  expect(streams.map(({ cut }) => cut?.reason)).toEqual(streams.map(() => reason));
  expect(streams.filter(({ pictures }) => pictures.length > 1)).toEqual([]);
}

/** Ends the session that listens for the house; it comes back by itself. */
async function stopListening(): Promise<void> {
  const client = new pg.Client(house.engines.database.connection as pg.ClientConfig);
  await client.connect();
  const { rowCount } = await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and query in ('listen live', 'select 1')`,
  );
  await client.end();
  expect(rowCount).toBe(1);
}
