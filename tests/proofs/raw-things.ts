import { findTraceKey } from '#features/tracing/store.ts';
import type { TraceResult } from '#features/tracing/verdict/result.ts';
import { putTraceFile } from '#features/tracing/work/trace-files.ts';
import { newId } from '#kit/ids.ts';
import { paintJpeg } from '#tests/support/paint.ts';
import { readRows } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { type Asker, canaries, makeWorld, type Things, type World } from './matrix-world.ts';
import { lend } from './mixed-sides.ts';

/** Tokens for ciphertext: of a picture and of a video. */
export interface Tokens {
  leaseToken: string;
  videoToken: string;
}

/** What raw routes are asked about besides what procedures are; a drill that has less of it asks with made-up ones. */
export interface RawThings extends Things, Partial<Tokens> {
  /** In the address of the picture that a viewer was lent. */
  tag?: string;
  /** A file that becomes a picture of a person. */
  picture?: Buffer;
  email?: string;
}

type Whose = 'A' | 'B';

/** The matrix's world, with all that somebody needs whose call to a raw route shall succeed. */
export interface RawWorld extends World {
  /** @param whose nobody's: what never was */
  things(whose: Whose | 'nobody'): RawThings;
  /** What somebody holds of these things; where that is nothing, tokens that are real and living, and of the other's things. */
  tokensOf(asker: Asker, whose: string): Tokens;
  /** Another upload that is begun. */
  begin(whose: Whose): Promise<string>;
}

const sideOf = (world: World, whose: Whose) => (whose === 'A' ? world.a : world.b);
const encoded = (text: string) => Buffer.from(text).toString('base64');

export async function openRawWorld(app: TestApp): Promise<RawWorld> {
  const world = await makeWorld(app);
  const picture = await paintJpeg(1, 96, 72);
  const open = async (whose: Whose, viewer: World['viewerOfA']) => {
    const side = sideOf(world, whose);
    await finishTrace(world, whose);
    side.things.upload = await beginUpload(world, whose);
    const { leaseUrl, leaseToken, videoToken } = await lend(world, side.things, viewer);
    const things: RawThings = {
      ...side.things,
      tag: leaseUrl.split('/').at(-1) ?? '',
      picture,
      email: side.person.email,
    };
    return { things, lent: { leaseToken, videoToken }, ownVideoToken: await lendOwn(world, whose) };
  };
  const sides = { A: await open('A', world.viewerOfA), B: await open('B', world.viewerOfB) };
  const nobodys = (): RawThings => {
    const ids = Object.keys(world.a.things).map((noun) => [noun, newId(app.engines.clock())]);
    return { ...(Object.fromEntries(ids) as unknown as Things), slug: 'unknownunknownunknown1', picture };
  };
  return {
    ...world,
    things: (whose) => (whose === 'nobody' ? nobodys() : sides[whose].things),
    tokensOf({ visits, owns }, whose) {
      const [own, other] = whose === 'B' ? [sides.B, sides.A] : [sides.A, sides.B];
      if (visits === whose) return own.lent;
      return owns === whose ? { ...other.lent, videoToken: own.ownVideoToken } : other.lent;
    },
    begin: (whose) => beginUpload(world, whose),
  };
}

/** Ten bytes are to come, of which none is here. */
async function beginUpload(world: World, whose: Whose): Promise<string> {
  const { person, things } = sideOf(world, whose);
  const metadata = `albumId ${encoded(things.album)},filename ${encoded(`${canaries[whose]}.jpg`)}`;
  const headers = { 'tus-resumable': '1.0.0', 'upload-length': '10', 'upload-metadata': metadata };
  const answer = await world.viewerApi.fetch('/files', { method: 'POST', headers }, person.browser);
  if (answer.status !== 201) throw new Error(`POST /files: ${answer.status} ${await answer.text()}`);
  return answer.headers.get('location')?.split('/').at(-1) ?? '';
}

/** What a creator is lent of her own video. */
async function lendOwn(world: World, whose: Whose): Promise<string> {
  const { person, things } = sideOf(world, whose);
  const wanted = { mediaId: things.video, tracks: [{ track: 'v720', from: 0, count: 1 }] };
  return (await world.app.call('media.videoKeys', wanted, person.browser)).body.leases[0].token;
}

/** A trace that has named a link and its viewer, with files that its creator may look at. */
export async function finishTrace(world: World, whose: Whose): Promise<void> {
  const { app } = world;
  const { person, things } = sideOf(world, whose);
  const [grant] = await readRows(app, 'select id from link_viewers where link_id = $1 and viewer_id = $2', [
    things.link,
    things.viewer,
  ]);
  const certainty = { word: 'traced', chancePower: -9 } as const;
  const before = new Date(app.engines.clock() + 1000);
  const result: TraceResult = {
    leak: { mime: 'image/jpeg', width: 64, height: 48 },
    ...{ compared: 1, earlierTraces: 0, hasOriginal: true },
    together: { traceIds: [], mediaIds: [], isOtherGone: false },
    shown: [{ mediaId: things.medium, before, isMoving: false }],
    items: [
      {
        ...{ mediaId: things.medium, isMoving: false, isStill: false, isMirrored: false, corners: [] },
        ...{ columns: 1, rows: 1, tiles: [true] },
      },
    ],
    named: {
      ...{ issued: 4, hypotheses: 8, ownLooks: [], wasDisclosed: false },
      links: [
        { ...certainty, linkId: things.link, timesNamed: 0, grants: [{ ...certainty, grantId: String(grant?.id) }] },
      ],
    },
  };
  await readRows(
    app,
    `update traces set state = 'done', outcome = 'traced', result = $2, has_preview = true, finished_at = $3 where id = $1`,
    [things.trace, JSON.stringify(result), new Date(app.engines.clock())],
  );
  const { storage, keys, database } = app.engines;
  const key = await database.work({ kind: 'user', userId: person.userId }, (tx) =>
    findTraceKey(tx, keys, things.trace),
  );
  if (key === undefined) throw new Error('A trace has no key.');
  for (const file of ['preview', 'original'] as const) {
    const bytes = Buffer.from(`${file} ${things.slug}`);
    await putTraceFile(storage, { traceId: things.trace, key }, file, bytes, bytes.length);
  }
}
