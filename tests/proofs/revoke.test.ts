import http from 'node:http';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Browser, type HouseInTest, headersOf, newBrowser, openHouse } from '#tests/support/house.ts';
import { readRows } from '#tests/support/people.ts';
import { type SeededPhoto, seedAlbum, seedPhoto } from '#tests/support/pictures.ts';
import { phone, type Streamed } from '#tests/support/salon.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { countOf, tellProof } from './counts.ts';

/** R3: many look at one link, each with the line of news open, calls going on and a stream in the middle; then it is revoked. */
const viewers = countOf(20, 200);
const patience = { timeout: countOf(120_000, 3_600_000) };

let house: HouseInTest;
let shared: SharedAlbum;
let requests = 0;
const closeMs: number[] = [];
beforeAll(async () => {
  house = await openHouse({ workJobs: false });
  shared = await shareAlbum(house, { count: 1 });
}, 120_000);
afterAll(async () => {
  const sorted = closeMs.toSorted((a, b) => a - b);
  tellProof('revoke', requests, {
    viewers,
    leases: 0,
    renewals: 0,
    keys: 0,
    closeP99Ms: Math.round(sorted[Math.ceil(0.99 * sorted.length) - 1] ?? 0),
  });
  await house.close();
});

/** One open screen and the calls that it makes. */
interface Screen {
  browser: Browser;
  visitId: string;
  news: News;
  /** The stream of full photos that is on its way. */
  stream: Promise<Streamed>;
}

/** A link to three fresh photos that many look at; the second full photo of every stream waits until `goOn` is called. */
async function openScreens() {
  const { userId } = shared.creator;
  const photos = [await seedPhoto(house, userId), await seedPhoto(house, userId), await seedPhoto(house, userId)];
  const album = await seedAlbum(
    house,
    userId,
    photos.map(({ mediaId }) => mediaId),
  );
  const link = await shared.makeLink({}, { albumIds: [album] });
  const gate = Promise.withResolvers<void>();
  const { storage } = house.engines;
  const read = storage.read.bind(storage);
  const reading = vi.spyOn(storage, 'read').mockImplementation(async (path) => {
    if (path.includes(photos[1]?.packs.p2048.packId ?? '-')) await gate.promise;
    return read(path);
  });
  const screens: Screen[] = [];
  for (let n = 0; n < viewers; n++) {
    const browser = newBrowser();
    const { head } = await shared.salon.tap(link.slug, { firstScreen: 1 }, browser);
    const news = await listen(head.visitId, browser);
    const stream = shared.salon.lease(head.visitId, photos.map(full), browser);
    screens.push({ browser, visitId: head.visitId, news, stream });
  }
  requests += 3 * viewers;
  const begun = () =>
    readRows(house, `select id from key_leases where rendition = 'p2048' and media_id = $1`, [photos[0]?.mediaId]);
  await expect.poll(async () => (await begun()).length, { timeout: 60_000 }).toBe(viewers);
  return {
    link,
    photos,
    screens,
    goOn: gate.resolve,
    close() {
      reading.mockRestore();
      for (const { news } of screens) news.close();
    },
  };
}
const full = ({ mediaId }: SeededPhoto) => ({ mediaId, rendition: 'p2048' });
const small = ({ mediaId }: SeededPhoto) => ({ mediaId, rendition: 'thumb512' });

/** What a call got that began before or after the answer to revoke. */
interface Got {
  beganAfter: boolean;
  renewed: number;
  leased: number;
  keys: number;
  /** Why not; the status when it is not about the link. */
  reason: string | number;
}

/** Renews and leases in turn until five calls of this screen have begun after the answer. */
async function keepAsking(screen: Screen, photo: SeededPhoto, isAnswered: () => boolean): Promise<Got[]> {
  const got: Got[] = [];
  for (let late = 0, n = 0; late < 5; n++) {
    const beganAfter = isAnswered();
    if (beganAfter) late++;
    requests++;
    if (n % 2 === 0) {
      const { status, body } = await renew(screen);
      const renewed = status === 200 ? 1 : 0;
      got.push({ beganAfter, renewed, leased: 0, keys: 0, reason: body.data?.reason ?? status });
    } else {
      const { head, pictures, refusal, status } = await shared.salon.lease(
        screen.visitId,
        [small(photo)],
        screen.browser,
      );
      const leased = head?.leases.length ?? 0;
      got.push({ beganAfter, renewed: 0, leased, keys: pictures.length, reason: refusal?.reason ?? status });
    }
  }
  return got;
}
const renew = ({ visitId, browser }: Screen) =>
  house.call('viewing.renew', { visitId, samples: [], idleMs: 0 }, browser);
const revoke = (linkId: string) => house.call('links.revoke', { linkIds: [linkId] }, shared.creator.browser);
const countLeases = async () => (await readRows(house, 'select id from key_leases')).length;

test(
  'after the answer to revoke nobody gets a lease, a renewal or a key; streams are cut and every screen is told',
  patience,
  async () => {
    const { link, photos, screens, goOn, close } = await openScreens();
    const [photo] = photos as [SeededPhoto];
    let isAnswered = false;
    const asking = Promise.all(screens.map((screen) => keepAsking(screen, photo, () => isAnswered)));
    const calledAt = performance.now();
    const told = Promise.all(
      screens.map(async ({ news }) => {
        await news.next(({ kind }) => kind === 'link.revoked');
        closeMs.push(performance.now() - calledAt);
      }),
    );
    const answer = await revoke(link.id);
    isAnswered = true;
    expect(answer.status).toBe(200);
    await told;
    goOn();
    const late = (await asking).flat().filter(({ beganAfter }) => beganAfter);
    expect(late).toHaveLength(5 * viewers);
    expect(late.filter(({ renewed, leased, keys }) => renewed + leased + keys > 0)).toEqual([]);
    // A machine that is too busy says 503, which gives nothing either.
    expect(late.filter(({ reason }) => reason !== 'REVOKED' && reason !== 503)).toEqual([]);
    expect(late.some(({ reason }) => reason === 'REVOKED')).toBe(true);
    expectCut(await Promise.all(screens.map(({ stream }) => stream)));
    const leases = await countLeases();
    for (const { browser } of screens) await shared.salon.tap(link.slug, {}, browser);
    expect(await countLeases()).toBe(leases);
    expect(closeMs).toHaveLength(viewers);
    close();
  },
);

test(
  'the same holds while nobody listens: renewals refuse, streams are cut, and every screen hears that it missed something',
  patience,
  async () => {
    const { link, photos, screens, goOn, close } = await openScreens();
    await stopListening();
    expect((await revoke(link.id)).status).toBe(200);
    const leases = await countLeases();
    for (const screen of screens) {
      const renewed = await renew(screen);
      expect([renewed.status, renewed.body.data.reason]).toEqual([410, 'REVOKED']);
      const leased = await shared.salon.lease(screen.visitId, photos.map(small), screen.browser);
      expect([leased.status, leased.refusal?.reason, leased.pictures]).toEqual([410, 'REVOKED', []]);
    }
    expect(await countLeases()).toBe(leases);
    await Promise.all(
      screens.map(({ news }) => news.next(({ kind }) => kind === 'refetch' || kind === 'link.revoked')),
    );
    goOn();
    expectCut(await Promise.all(screens.map(({ stream }) => stream)));
    requests += 2 * viewers;
    close();
  },
);

/** Every stream ends with the reason, and with no key of what waited when the link was revoked. */
function expectCut(streams: readonly Streamed[]): void {
  expect(streams.map(({ cut }) => cut?.reason)).toEqual(streams.map(() => 'REVOKED'));
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

/** The line of news of one screen. */
interface News {
  /** The first event that is asked for, whenever it came. */
  next(isWanted: (event: { kind: string }) => boolean): Promise<{ kind: string }>;
  close(): void;
}

async function listen(visitId: string, browser: Browser): Promise<News> {
  const all: { kind: string }[] = [];
  const waiting = new Set<() => void>();
  const headers = { 'user-agent': phone, ...headersOf(browser) };
  const url = `${shared.salon.url}/api/live/view?visit=${visitId}`;
  const request = http.get(url, { headers, agent: false });
  await new Promise<void>((opened, failed) => {
    request.once('error', failed);
    request.once('response', (response) => {
      request.on('error', () => undefined); // it is closed by us
      response.setEncoding('utf8').on('data', (text: string) => {
        opened();
        for (const [, json = '{}'] of text.matchAll(/^data: (.*)$/gm)) all.push(JSON.parse(json));
        for (const look of waiting) look();
      });
    });
  });
  return {
    next: (isWanted) =>
      new Promise((found) => {
        const look = () => {
          const event = all.find(isWanted);
          if (event === undefined) return;
          waiting.delete(look);
          found(event);
        };
        waiting.add(look);
        look();
      }),
    close: () => request.destroy(),
  };
}
