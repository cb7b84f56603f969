import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { comeAgain, drawNoise, untilGiven, type Visitor, visit } from '#tests/support/servers/visitor.ts';
import { type Browser, newBrowser } from '#tests/support/test-app.ts';
import { countOf, guards, isFull, printProof } from '../counts.ts';
import { type KillRoom, mostMedianReadyMs, openKillRoom, readyFiguresOf, until } from './kill-room.ts';

guards('src/features/links/**', 'src/features/access/**', 'src/features/viewing/**');

/** The real server, killed around the moment at which a link is taken back. */
let room: KillRoom;
let visitor: Visitor;
let creator: Browser;
let albumId: string;
let requests = 0;
const counts = { answered: 0, unanswered: 0, taken: 0, seenFirst: 0 };

beforeAll(async () => {
  room = await openKillRoom();
  await room.start('web');
  visitor = visit(room.server);
  creator = await visitor.signUp('revoke@example.com');
  albumId = (await visitor.must('albums.create', { name: 'Killed', peopleConsent: 'only_me' }, creator)).id;
  await room.server.end('SIGTERM');
  await room.start('all');
  const photo = await drawNoise(600, 400);
  await visitor.sendFrom(creator, await visitor.beginUpload(creator, albumId, photo), photo, 0);
  await visitor.untilSettled(creator, albumId);
});
afterAll(async () => {
  await room.close();
  printProof('kill-revoke', requests, { kills: room.kills, ...counts, ...readyFiguresOf(room.readyMs) });
});

/** A link and somebody who looks at its photo. */
interface Screen {
  linkId: string;
  slug: string;
  /** Returns what a taken link gives out after all, in words: to this viewer and to a new one. */
  findOpen(): Promise<string[]>;
}

async function openScreen(): Promise<Screen> {
  const link = await visitor.must(
    'links.create',
    { albumIds: [albumId], rules: { ageGate: false }, isLaxConfirmed: true },
    creator,
  );
  const viewer = newBrowser();
  const tap = (by?: Browser) => visitor.viewerApi.tap(link.slug, { firstScreen: 1 }, by);
  const { visitId, items } = (await untilGiven(() => tap(viewer))).head;
  const wanted = [{ mediaId: items[0].mediaId, rendition: 'thumb512' }];
  const borrow = () => visitor.viewerApi.lease(visitId, wanted, viewer);
  expect((await untilGiven(borrow)).pictures).toHaveLength(1);
  const leases = async () => (await room.rowsOf<{ n: number }>('select count(*)::int as n from key_leases'))[0]?.n;
  const findOpen = async () => {
    requests += 4;
    const before = await leases();
    const lease = await comeAgain(borrow);
    const renewed = await comeAgain(() => visitor.call('viewing.renew', { visitId, samples: [], idleMs: 0 }, viewer));
    const again = await comeAgain(() => tap(viewer));
    const other = await comeAgain(() => tap());
    const keys = [...lease.pictures, ...again.pictures, ...other.pictures].length;
    const reasons = [lease.refusal?.reason, renewed.body.data?.reason, again.refusal?.reason];
    // Who was told to come again was given nothing.
    const isGiven = ({ status }: { status: number }, reason: string | undefined, wanted = 'REVOKED') =>
      status !== 503 && reason !== wanted;
    const found: Record<string, boolean> = {
      'a lease': isGiven(lease, reasons[0]),
      'a renewal': isGiven(renewed, reasons[1]),
      'the door': isGiven(again, reasons[2]),
      'the door for others': isGiven(other, other.refusal?.reason, 'NOT_FOUND'),
      keys: keys > 0,
      'a row of a lease': (await leases()) !== before,
      'nobody is told why': !reasons.includes('REVOKED'),
    };
    return Object.keys(found).filter((one) => found[one]);
  };
  return { linkId: link.id, slug: link.slug, findOpen };
}

const isTaken = async (linkId: string) =>
  (await room.rowsOf<{ taken: boolean }>('select is_revoked as taken from magic_links where id = $1', [linkId]))[0]
    ?.taken;

/** A revoke that is under way, and a connection beside the server that was there before it began. */
interface Revoke {
  linkId: string;
  beside: pg.Client;
  answered: Promise<unknown>;
}

/** When the kill comes, and what has to have become of such a revoke; undefined where chance decides. */
interface Moment {
  prepare(beside: pg.Client): Promise<unknown>;
  untilThen(revoke: Revoke): Promise<unknown>;
  ends: { isAnswered?: boolean; isTaken?: boolean };
}

const asSystem = (beside: pg.Client) => beside.query('set role app_system');

/** Somebody has changed a link and waits for the table that is written next. */
const isHeld = `select 1 from pg_locks waiting join pg_locks held using (pid)
  where waiting.relation = 'audit_log'::regclass and not waiting.granted
  and held.relation = 'magic_links'::regclass and held.mode = 'RowExclusiveLock' and held.granted`;

const afterItsAnswer: Moment = {
  prepare: asSystem,
  untilThen: ({ answered }) => answered,
  ends: { isAnswered: true, isTaken: true },
};
const insideItsTransaction: Moment = {
  prepare: (beside) => beside.query('begin; lock table audit_log in share mode'),
  untilThen: ({ beside }) => until(async () => (await beside.query(isHeld)).rows[0], 'The held revoke'),
  ends: { isAnswered: false, isTaken: false },
};
const onceItsRowIsSeen: Moment = {
  prepare: asSystem,
  async untilThen({ linkId, beside }) {
    const look = 'select 1 from magic_links where id = $1 and is_revoked';
    for (const end = performance.now() + 60_000; performance.now() < end; )
      if ((await beside.query(look, [linkId])).rows.length > 0) return;
    throw new Error('The row did not come within a minute.');
  },
  ends: { isTaken: true },
};
const atRandom: Moment = { prepare: asSystem, untilThen: () => wait(Math.random() * 15), ends: {} };
const moments = [afterItsAnswer, insideItsTransaction, onceItsRowIsSeen, atRandom];

/** Takes a link back and kills the server at a moment. @returns what has become of it after the restart */
async function killWhileRevoking({ linkId }: Screen, moment: Moment) {
  const beside = await room.connect();
  await moment.prepare(beside);
  let isAnswered = false;
  const answered = visitor.call('links.revoke', { linkIds: [linkId] }, creator).then(
    ({ status }) => {
      expect(status).toBe(200);
      isAnswered = true;
    },
    () => undefined, // a killed server never answers
  );
  await moment.untilThen({ linkId, beside, answered });
  if (moment === onceItsRowIsSeen && !isAnswered) counts.seenFirst++;
  await room.kill();
  await answered;
  await room.start('all');
  return { isAnswered, isTaken: await isTaken(linkId) };
}

test('killed around the moment of a revoke: what was answered or can be seen stays taken, what was under way is not, and no lease is given after the restart', {
  timeout: countOf(180_000, 3_600_000, 14_400_000),
}, async () => {
  for (let n = 0; n < countOf(4, 32, 200); n++) {
    const screen = await openScreen();
    const moment = moments[n % moments.length] ?? atRandom;
    const ended = await killWhileRevoking(screen, moment);
    counts[ended.isAnswered ? 'answered' : 'unanswered']++;
    if (ended.isTaken) counts.taken++;
    expect(ended).toMatchObject(moment.ends);
    if (ended.isAnswered) expect(ended.isTaken).toBe(true);
    // Whoever had no answer asks again.
    if (!ended.isAnswered) await visitor.must('links.revoke', { linkIds: [screen.linkId] }, creator);
    expect(await isTaken(screen.linkId)).toBe(true);
    expect(await screen.findOpen()).toEqual([]);
  }
  if (isFull) expect(readyFiguresOf(room.readyMs).medianReadyMs).toBeLessThanOrEqual(mostMedianReadyMs);
});

test('planted: a link that came back with the restart is found at every door', async () => {
  const screen = await openScreen();
  await visitor.must('links.revoke', { linkIds: [screen.linkId] }, creator);
  expect(await screen.findOpen()).toEqual([]);
  await room.kill();
  await room.start('all');
  await room.rowsOf(
    `update magic_links set is_revoked = false, revoked_at = null, revoked_reason = null, undo_until = null where id = $1`,
    [screen.linkId],
  );
  expect(await screen.findOpen()).toEqual([
    'a lease',
    'a renewal',
    'the door',
    'the door for others',
    'keys',
    'a row of a lease',
    'nobody is told why',
  ]);
});
