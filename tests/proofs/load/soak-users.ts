import http from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Sandbox } from '#tests/support/developer.ts';
import { drawNoise, type Visitor, visit } from '#tests/support/servers/visitor.ts';
import { type Browser, headersOf, newBrowser } from '#tests/support/test-app.ts';
import { phone } from '#tests/support/viewer-api.ts';
import { median } from '../../../bench/support/figures.ts';
import { type Shot, shoot } from '../../../bench/support/load.ts';

/** What came of the things that are done one after the other. */
export interface SlowLife {
  uploads: number;
  links: number;
  /** Rounds of the creator that were broken off because the machine had too much to do. */
  roundsBrokenOff: number;
}

/** People who use an installation all the time: those at their screens, and a creator at work. */
export interface SoakWorld {
  /**
   * Answers a second when each request waits for the one before, eight at a time: the median of short rounds, which a moment in
   * which the machine does something else does not move. What is told to come again is no answer.
   */
  measureRate(): Promise<number>;
  /** The request with that number: mostly renewals, some leases and opens, some looks into the studio. */
  shotOf(n: number): Shot;
  /** Uploads, links that are made, opened and revoked, and screens that come and go, until the signal. */
  live(signal: AbortSignal): Promise<SlowLife>;
}

interface Screen {
  browser: Browser;
  visitId: string;
  mediaIds: string[];
}

/**
 * So many screens that none of them takes more than a photo a second, which would be refused; and with no divisor in common
 * with the 20 turns, so that each of them comes to every turn: who never renews is shown out.
 */
const [photoCount, screenCount] = [4, 121];
/** How capacity is measured. */
const [rateRounds, roundMs] = [5, 1500];

/** Signs a creator up, gives her photos and a link, and opens it on many phones. */
export async function openSoakWorld(server: Sandbox): Promise<SoakWorld> {
  const { url } = server;
  const door = visit(server);
  const creator = await enterAsCreator(door);
  const { id: albumId } = await door.must(
    'albums.create',
    { name: 'Looked at', peopleConsent: 'only_me' },
    creator.browser,
  );
  for (let n = 0; n < photoCount; n++) await creator.sendPhoto(albumId);
  await door.untilSettled(creator.browser, albumId);
  const link = await creator.makeLink(albumId);
  const screens: Screen[] = [];
  for (let n = 0; n < screenCount; n++) screens.push(await openScreen(door, link.slug));
  const shotOf = planShots(url, creator.browser, albumId, link, screens);
  let asked = 0;
  return {
    shotOf,
    async measureRate() {
      const rates: number[] = [];
      // A round goes on where the one before has ended: no screen is asked more often than the others.
      for (let n = 0; n < rateRounds; n++) rates.push(await measureRound(() => shotOf(asked++)));
      return median(rates);
    },
    async live(signal) {
      const done: SlowLife = { uploads: 0, links: 0, roundsBrokenOff: 0 };
      while (!signal.aborted) {
        // On a machine that is busy with other things a round may be refused, and is broken off then; that it was is told.
        await workRound(url, door, creator, albumId, done).catch(() => done.roundsBrokenOff++);
        await wait(2000);
      }
      return done;
    },
  };
}

interface Link {
  id: string;
  slug: string;
}

interface Creator {
  browser: Browser;
  sendPhoto(albumId: string): Promise<void>;
  makeLink(albumId: string): Promise<Link>;
}

async function enterAsCreator(door: Visitor): Promise<Creator> {
  const browser = await door.signUp('mia@example.com');
  return {
    browser,
    async sendPhoto(albumId) {
      const photo = await drawNoise(300, 200);
      const uploadId = await door.beginUpload(browser, albumId, photo);
      await door.sendFrom(browser, uploadId, photo, 0);
    },
    makeLink(albumId) {
      const rules = { albumIds: [albumId], rules: { ageGate: false }, isLaxConfirmed: true };
      return door.must('links.create', rules, browser);
    },
  };
}

async function openScreen({ viewerApi }: Visitor, slug: string): Promise<Screen> {
  const browser = newBrowser();
  for (;;) {
    const { head } = await viewerApi.tap(slug, { firstScreen: photoCount }, browser);
    const items = head?.items as { mediaId: string }[] | undefined;
    if (items !== undefined) return { browser, visitId: head.visitId, mediaIds: items.map(({ mediaId }) => mediaId) };
    await wait(1000); // too many people at once
  }
}

/** The requests by number: each twenty in a row are one of every turn. */
function planShots(
  url: string,
  creator: Browser,
  albumId: string,
  { id: linkId, slug }: Link,
  screens: readonly Screen[],
): SoakWorld['shotOf'] {
  const rpc = (procedure: string, input: object, browser: Browser): Shot => ({
    url: `${url}/rpc/${procedure}`,
    method: 'POST',
    headers: { 'x-csrf-token': 'orpc', 'user-agent': phone, ...headersOf(browser) },
    body: JSON.stringify({ json: input }),
  });
  const view = (what: string, body: object, browser: Browser): Shot => ({
    url: `${url}/api/view/${what}`,
    method: 'POST',
    headers: { origin: url, 'user-agent': phone, ...headersOf(browser) },
    body: JSON.stringify(body),
  });
  const studio: [string, object][] = [
    ['albums/list', {}],
    ['albums/one', { albumId }],
    ['links/list', {}],
    ['links/one', { linkId }],
    ['insights/overview', { days: 30 }],
    ['insights/visits', {}],
    ['insights/lookingNow', {}],
  ];
  return (n) => {
    const { browser, visitId, mediaIds } = screens[n % screens.length] as Screen;
    const turn = n % 20;
    if (turn === 0) return view(`${slug}/open`, { firstScreen: 2 }, browser);
    if (turn < 5) {
      const items = [{ mediaId: mediaIds[n % mediaIds.length], rendition: 'p2048', with: 'keys' }];
      return view('leases', { visitId, items }, browser);
    }
    if (turn < 9) {
      const [procedure, input] = studio[Math.floor(n / 20 + turn) % studio.length] as [string, object];
      return rpc(procedure, input, creator);
    }
    return rpc('viewing/renew', { visitId, samples: [], idleMs: 0 }, browser);
  };
}

/** Answers a second of one round of the measuring. */
async function measureRound(nextShot: () => Shot): Promise<number> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
  const began = performance.now();
  let answered = 0;
  const work = async () => {
    while (performance.now() - began < roundMs) if ((await shoot(agent, nextShot())).status === 200) answered++;
  };
  await Promise.all(Array.from({ length: 8 }, work));
  agent.destroy();
  return answered / ((performance.now() - began) / 1000);
}

/** One round of the creator: an album comes and goes, and so does a link to what is looked at. */
async function workRound(
  url: string,
  door: Visitor,
  { browser: mia, sendPhoto, makeLink }: Creator,
  albumId: string,
  done: SlowLife,
): Promise<void> {
  const heap = await door.must('albums.create', { name: 'Heap', peopleConsent: 'only_me' }, mia);
  await sendPhoto(heap.id);
  done.uploads++;
  const link = await makeLink(albumId);
  const { browser, visitId } = await openScreen(door, link.slug);
  const news = listen(`${url}/api/live/view?visit=${visitId}`, browser);
  await door.must('links.revoke', { linkIds: [link.id] }, mia);
  await door.untilSettled(mia, heap.id);
  await door.must('albums.remove', { albumId: heap.id }, mia);
  news.destroy();
  done.links++;
}

/** Opens a line of news and lets it run. */
function listen(address: string, browser: Browser): http.ClientRequest {
  const request = http.get(address, { headers: { 'user-agent': phone, ...headersOf(browser) }, agent: false });
  request.on('response', (answer) => answer.resume().on('error', () => undefined));
  request.on('error', () => undefined); // it is cut when the time is over
  return request;
}
