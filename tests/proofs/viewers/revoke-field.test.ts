import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askOutside, noOutsidePostgres } from '#tests/support/database/outside-postgres.ts';
import { type Field, openField } from '#tests/support/servers/field.ts';
import { drawNoise, untilGiven, type Visitor, visit } from '#tests/support/servers/visitor.ts';
import { type Browser, newBrowser } from '#tests/support/test-app.ts';
import { countOf, guards, isFull, p99Of, printProof } from '../counts.ts';
import { beginStream, heavyPhotos, makeHeavyAlbum } from '../load/slow-stream.ts';
import { type Got, keepAsking, listen, type News } from './open-screens.ts';

guards('src/features/links/**', 'src/features/access/**', 'src/features/viewing/**', 'src/wire/live.ts');

/** Screens that close in time, over two processes: all look through one of them, and the link is taken back in the other. */
const viewers = countOf(20, 200, 1000);
const patience = { timeout: countOf(120_000, 3_600_000) };
/** How long a screen may show what it has when nobody tells it anything. */
const longestMs = 30_000;
/** How soon 99 of 100 screens are to be told, on a machine that has nothing else to do. */
const soonMs = 1000;

let field: Field | undefined;
let mia: Browser;
let albumId: string;
let heavyAlbumId: string;
let requests = 0;
const figures: Record<string, number> = {};
beforeAll(async () => {
  field = await openField();
  if (field === undefined) return;
  const creator = visit(field);
  mia = await creator.signUp('mia@example.com');
  ({ id: albumId } = await creator.must('albums.create', { name: 'Outside', peopleConsent: 'only_me' }, mia));
  const photo = await drawNoise(300, 200);
  const uploadId = await creator.beginUpload(mia, albumId, photo);
  await creator.sendFrom(mia, uploadId, photo, 0);
  await creator.untilSettled(mia, albumId);
  heavyAlbumId = await makeHeavyAlbum(creator, mia);
});
afterAll(async () => {
  if (field !== undefined) printProof('revoke-field', requests, { viewers, ...figures });
  await field?.close();
});

/** A link, who looks at it through the second process, and the first one, in which it is taken back. */
interface Looking {
  linkId: string;
  mediaId: string;
  screens: { browser: Browser; visitId: string; news: News }[];
  here: Visitor;
  there: Visitor;
}

async function look({ webs }: Field, count: number): Promise<Looking> {
  const [there, here] = webs().map(({ url }) => visit(url)) as [Visitor, Visitor];
  const rules = { albumIds: [albumId], rules: { ageGate: false }, isLaxConfirmed: true };
  const { id: linkId, slug } = await there.must('links.create', rules, mia);
  const screens: Looking['screens'] = [];
  let mediaId = '';
  for (let n = 0; n < count; n++) {
    // Each from a network of their own.
    const browser = newBrowser({ 'x-forwarded-for': `10.9.${n >> 8}.${n & 255}` });
    const { head } = await untilGiven(() => here.viewerApi.tap(slug, { firstScreen: 1 }, browser));
    mediaId = head.items[0].mediaId;
    screens.push({ browser, visitId: head.visitId, news: await listen(here.viewerApi, head.visitId, browser) });
  }
  return { linkId, mediaId, screens, here, there };
}

/** What the screens got while something was done to their link. */
interface Ended {
  /** What the call that ended it was answered. */
  status: number;
  late: Got[];
  /** How long after the call each was told that was told at all. */
  toldMs: number[];
}

/** Lets every screen go on asking while something is done to the link. @param untilToldMs how long the news may take */
async function endLooking(
  { here, mediaId, screens }: Looking,
  act: () => Promise<{ status: number }>,
  untilToldMs = 60_000,
): Promise<Ended> {
  let isAnswered = false;
  const asking = keepAsking(here, screens, { mediaId }, () => isAnswered);
  const calledAt = performance.now();
  const toldMs: number[] = [];
  const reported = screens.map(async ({ news }) => {
    // Who may have missed something is told to read again, and finds the link ended.
    await news.next(({ kind }) => kind === 'link.revoked' || kind === 'refetch');
    toldMs.push(performance.now() - calledAt);
  });
  const { status } = await act().finally(() => {
    isAnswered = true;
  });
  await Promise.race([Promise.all(reported), wait(untilToldMs)]);
  const got = (await asking).flat();
  requests += 2 * screens.length + got.length;
  for (const { news } of screens) news.close();
  return { status, late: got.filter(({ beganAfter }) => beganAfter), toldMs: [...toldMs] };
}

/** What is wrong with the end of a link at which so many looked, in words. @param mostMs how soon 99 of 100 are to be told */
function faultsOf({ status, late, toldMs }: Ended, count: number, mostMs = longestMs): string[] {
  const faults: Record<string, boolean> = {
    'the act was refused': status !== 200,
    'something was given afterwards': late.some(({ renewed, leased, keys }) => renewed + leased + keys > 0),
    'nobody was told why': !late.some(({ reason }) => reason === 'REVOKED'),
    'a screen was not told': toldMs.length < count,
    'screens were told too late': p99Of(toldMs) > mostMs,
    'a screen showed what it had for too long': Math.max(0, ...toldMs) > longestMs,
  };
  return Object.keys(faults).filter((fault) => faults[fault]);
}

/** Once: whoever takes a link back is never told to come again. */
const revoke = ({ there, linkId }: Looking) => there.call('links.revoke', { linkIds: [linkId] }, mia);

test('a link that is taken back in one process gives nothing more in the other, and closes every screen of it', {
  ...patience,
}, async ({ skip }) => {
  if (field === undefined) return skip(noOutsidePostgres);
  const looking = await look(field, viewers);
  const ended = await endLooking(looking, () => revoke(looking));
  expect(faultsOf(ended, viewers, isFull ? soonMs : longestMs)).toEqual([]);
  expect(ended.late).toHaveLength(5 * viewers);
  figures.closeP99Ms = Math.round(p99Of(ended.toldMs));
});

test('the same holds when the other process has just lost the line on which it is told', {
  ...patience,
}, async ({ skip }) => {
  if (field === undefined) return skip(noOutsidePostgres);
  const { databaseUrl, pids } = field;
  const looking = await look(field, viewers);
  let cut = 0;
  const ended = await endLooking(looking, async () => {
    cut = await cutLine(databaseUrl, pids().at(-1) ?? 0);
    return revoke(looking);
  });
  expect(cut).toBe(1);
  expect(faultsOf(ended, viewers)).toEqual([]);
  expect(ended.late).toHaveLength(5 * viewers);
  figures.closeP99MsWithLineCut = Math.round(p99Of(ended.toldMs));
});

/** What a stream that is read slowly through one process is given when its link is taken back in the other, or nothing is done. */
async function streamOver({ webs }: Field, isRevoked: boolean) {
  const [there, here] = webs().map(({ url }) => visit(url)) as [Visitor, Visitor];
  const rules = { albumIds: [heavyAlbumId], rules: { ageGate: false }, isLaxConfirmed: true };
  const { id: linkId, slug } = await there.must('links.create', rules, mia);
  const stream = await beginStream(here, slug, newBrowser({ 'x-forwarded-for': '10.8.0.1' }));
  if (isRevoked) expect((await there.call('links.revoke', { linkIds: [linkId] }, mia)).status).toBe(200);
  await wait(soonMs);
  const { pictures, cut } = await stream.readOn();
  requests += 3;
  return { isWhole: pictures.length === heavyPhotos, reason: cut?.reason };
}

test('a stream that is read slowly through the other process begins no picture a second after the link is taken back', {
  ...patience,
}, async ({ skip }) => {
  if (field === undefined) return skip(noOutsidePostgres);
  expect(await streamOver(field, true)).toEqual({ isWhole: false, reason: 'REVOKED' });
});

test('planted: a stream whose link stays goes on to its end, and it is found', { ...patience }, async ({ skip }) => {
  if (field === undefined) return skip(noOutsidePostgres);
  expect(await streamOver(field, false)).toEqual({ isWhole: true, reason: undefined });
});

test('planted: nothing is done, or it is done and nobody is told, or too late, or it is refused, and it is found', {
  ...patience,
}, async ({ skip }) => {
  if (field === undefined) return skip(noOutsidePostgres);
  const { databaseUrl } = field;
  const few = 3;
  const ignored = await endLooking(await look(field, few), async () => ({ status: 503 }), 1000);
  expect(faultsOf(ignored, few)).toEqual([
    'the act was refused',
    'something was given afterwards',
    'nobody was told why',
    'a screen was not told',
  ]);
  const revokeRow = async ({ linkId }: Looking) => {
    const silently = `update magic_links set is_revoked = true, revoked_at = now() where id = '${linkId}'`;
    await askOutside(databaseUrl, 'set role app_system', silently);
    return { status: 200 };
  };
  const looking = await look(field, few);
  const untold = await endLooking(looking, () => revokeRow(looking), 1000);
  expect(faultsOf(untold, few)).toEqual(['a screen was not told']);
  const others = await look(field, few);
  const describeLate = async () => {
    const done = await revokeRow(others);
    await wait(soonMs);
    const event = JSON.stringify({ kind: 'link.revoked', linkId: others.linkId });
    await askOutside(databaseUrl, `select pg_notify('live', '${event}')`);
    return done;
  };
  expect(faultsOf(await endLooking(others, describeLate), few, soonMs)).toEqual(['screens were told too late']);
});

/** Ends the session on which a process listens; it comes back by itself. @returns how many there were */
async function cutLine(databaseUrl: string, pid: number): Promise<number> {
  const cut = await askOutside(
    databaseUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
     and query in ('listen live', 'select 1') and client_port = any('{${portsOf(pid).join(',')}}')`,
  );
  return cut.length;
}

/** The ports of this machine from which a process has connections. */
function portsOf(pid: number): number[] {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return []; // it was closed meanwhile
      }
    }),
  );
  const lines = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  return lines
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([, local = '', ...more]) => (sockets.has(more[7] ?? '') ? Number.parseInt(local.slice(-4), 16) : []));
}
