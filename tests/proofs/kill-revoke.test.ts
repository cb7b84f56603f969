import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, newBrowser } from '#tests/support/house.ts';
import { drawNoise, type Visitor, visit } from '#tests/support/visitor.ts';
import { countOf, tellProof } from './counts.ts';
import { type KillRoom, openKillRoom, until } from './kill-world.ts';

/** R6: the real server, killed around the moment at which a link is taken back. */
let room: KillRoom;
let visitor: Visitor;
let creator: Browser;
let albumId: string;
let requests = 0;
const counts = { answered: 0, unanswered: 0, taken: 0 };

beforeAll(async () => {
  room = await openKillRoom();
  await room.start('web');
  visitor = visit(room.server.url);
  creator = await visitor.signUp('revoke@example.com');
  albumId = (await visitor.must('albums.create', { name: 'Killed' }, creator)).id;
  await room.server.end('SIGTERM');
  await room.start('all');
  const photo = await drawNoise(600, 400);
  await visitor.sendFrom(creator, await visitor.beginUpload(creator, albumId, photo), photo, 0);
  await visitor.untilSettled(creator, albumId);
}, 180_000);
afterAll(async () => {
  await room.close();
  tellProof('kill-revoke', requests, { kills: room.kills, ...counts });
}, 60_000);

/** A link and somebody who looks at its photo. */
interface Screen {
  linkId: string;
  slug: string;
  /** What a taken link gives out after all, in words: to this viewer and to a new one. */
  findOpen(): Promise<string[]>;
}

/** Opens a link; comes again when the machine is too busy, as the page does. */
async function open(slug: string, viewer: Browser) {
  for (let tries = 0; ; tries++) {
    const { status, head, text } = await visitor.salon.tap(slug, { firstScreen: 1 }, viewer);
    if (status === 200) return head;
    if (status !== 503 || tries === 20) throw new Error(`The link answered ${status} ${text}`);
    await wait(1000);
  }
}

async function openScreen(): Promise<Screen> {
  const link = await visitor.must(
    'links.create',
    { albumIds: [albumId], rules: { ageGate: false }, isLaxConfirmed: true },
    creator,
  );
  const viewer = newBrowser();
  const { visitId, items } = await open(link.slug, viewer);
  const wanted = [{ mediaId: items[0].mediaId, rendition: 'thumb512' }];
  expect((await visitor.salon.lease(visitId, wanted, viewer)).pictures).toHaveLength(1);
  const leases = async () => (await room.rowsOf<{ n: number }>('select count(*)::int as n from key_leases'))[0]?.n;
  const findOpen = async () => {
    requests += 4;
    const before = await leases();
    const lease = await visitor.salon.lease(visitId, wanted, viewer);
    const renewed = await visitor.call('viewing.renew', { visitId, samples: [], idleMs: 0 }, viewer);
    const again = await visitor.salon.tap(link.slug, { firstScreen: 1 }, viewer);
    const other = await visitor.salon.tap(link.slug, { firstScreen: 1 });
    const keys = [...lease.pictures, ...again.pictures, ...other.pictures].length;
    const found: Record<string, boolean> = {
      'a lease': lease.status !== 410 || lease.refusal?.reason !== 'REVOKED',
      'a renewal': renewed.status !== 410 || renewed.body.data.reason !== 'REVOKED',
      'the door': again.refusal?.reason !== 'REVOKED',
      'the door for others': other.refusal?.reason !== 'NOT_FOUND',
      keys: keys > 0,
      'a row of a lease': (await leases()) !== before,
    };
    return Object.keys(found).filter((one) => found[one]);
  };
  return { linkId: link.id, slug: link.slug, findOpen };
}

const isTaken = async (linkId: string) =>
  (await room.rowsOf<{ taken: boolean }>('select is_revoked as taken from magic_links where id = $1', [linkId]))[0]
    ?.taken;

/** When the kill comes, while a link is being taken back. */
const moments: ((linkId: string, revoked: Promise<unknown>) => Promise<unknown>)[] = [
  (_, revoked) => revoked,
  // Between its commit and whoever is told of it.
  (linkId) => until(async () => (await isTaken(linkId)) || undefined, 'The row'),
  () => wait(Math.random() * 15),
];

test('killed around the moment of a revoke: what was answered or committed stays taken, and no lease is given after the restart', {
  timeout: countOf(180_000, 3_600_000, 14_400_000),
}, async () => {
  for (let n = 0; n < countOf(3, 30, 200); n++) {
    const screen = await openScreen();
    const moment = moments[n % moments.length];
    let isAnswered = false;
    const revoked = visitor.call('links.revoke', { linkIds: [screen.linkId] }, creator).then(
      ({ status }) => {
        expect(status).toBe(200);
        isAnswered = true;
      },
      () => undefined, // a killed server never answers
    );
    await moment?.(screen.linkId, revoked);
    const wasAnswered = isAnswered;
    await room.kill();
    await revoked;
    await room.start('all');
    const taken = await isTaken(screen.linkId);
    counts[wasAnswered ? 'answered' : 'unanswered']++;
    if (taken) counts.taken++;
    if (wasAnswered || moment === moments[1]) expect(taken).toBe(true);
    if (!taken) await visitor.must('links.revoke', { linkIds: [screen.linkId] }, creator);
    expect(await screen.findOpen()).toEqual([]);
  }
});

test('R6, planted: a link that came back with the restart is found at every door', async () => {
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
  ]);
});
