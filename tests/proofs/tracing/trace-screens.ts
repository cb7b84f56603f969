import { grantSeed, linkSeed, tileCodeword } from '#features/media/formats/codeword.ts';
import { readPackHeader } from '#features/media/formats/pack.ts';
import { ensureTraceKey } from '#features/media/keys-store.ts';
import type { Frame } from '#features/media/watermark/mask.ts';
import type { ReadLeak } from '#features/tracing/findings.ts';
import { readTraceFile, StoredReadings } from '#features/tracing/progress/trace-files.ts';
import { findTraceKey } from '#features/tracing/store.ts';
import { openTraceWork } from '#features/tracing/work/trace-work.ts';
import { recordScreen, withFfmpeg } from '#tests/support/media/with-ffmpeg.ts';
import { advance, readRows } from '#tests/support/people.ts';
import { openTestApp } from '#tests/support/test-app.ts';
import { openLeakWorld, upload } from '#tests/support/tracing/leaks.ts';
import { type Person, seedsOf } from './suspects.ts';

/** How somebody records a screen on which photos are leafed through. */
export interface Recording {
  name: string;
  /** Every such recording must name its link, or its figures are told only. */
  bar: 'sure' | 'told';
  make(screenshots: readonly Buffer[]): Promise<Buffer>;
}

export const recordings: readonly Recording[] = [
  { name: 'screen recorded, 720 × 1280 crf 28', bar: 'sure', make: (shots) => recordScreen(shots) },
  {
    name: 'screen recorded, 360 × 640 crf 30',
    bar: 'sure',
    make: (shots) => recordScreen(shots, { width: 360, height: 640, crf: 30 }),
  },
  {
    name: 'screen filmed by hand, 720 × 1280 crf 28',
    bar: 'told',
    make: async (shots) => videoByHand(await recordScreen(shots, { crf: 14 })),
  },
];

/** As a second phone videos it: each corner wanders by some pixels, nearer and farther, a little out of focus, with grain. */
function videoByHand(recording: Buffer): Promise<Buffer> {
  const [w, h] = [720, 1280];
  const wander = (middle: number, pace: number, by = 5) => `${middle}+${by}*sin(on/${pace})+2*sin(on/${pace / 3})`;
  const corners = [
    [wander(34, 17), wander(44, 23)],
    [wander(w - 26, 21), wander(38, 19)],
    [wander(28, 25), wander(h - 50, 16)],
    [wander(w - 36, 18), wander(h - 40, 22)],
  ];
  const at = corners.flatMap(([x, y], n) => [`x${n}='${x}'`, `y${n}='${y}'`]).join(':');
  const seen = `perspective=${at}:sense=destination:eval=frame:interpolation=cubic`;
  const lens = 'gblur=sigma=0.8,eq=gamma=1.05:contrast=0.96,noise=alls=5:allf=t,format=yuv420p';
  const filter = ['-vf', `fps=30,format=yuv444p,${seen},${lens}`];
  return withFfmpeg({ 'in.mp4': recording }, ['-i', 'in.mp4', ...filter, '-c:v', 'libx264', '-crf', '28'], 'hand.mp4');
}

/** What the product answered about one recording, and what it had read. */
export interface ReadRecording {
  /** Links that its answer names. */
  named: string[];
  read: Pick<ReadLeak, 'items' | 'compared'>;
}

/** A creator with these photos in one album, and viewers of them: recordings of their screens go through the whole product. */
export interface ScreenWorld {
  mediaIds: string[];
  /** Somebody new who is shown all photos. @returns what is on their screen, and who they are */
  invite(name: string): Promise<{ screenshots: Buffer[]; leaker: Person }>;
  /** Returns where this person's bits are in one of the photos. */
  bits(leaker: Person, n: number): Uint8Array;
  /** Hands a clip in by the page's own way and works its job off. */
  trace(clip: Buffer): Promise<ReadRecording>;
  close(): Promise<void>;
}

export async function openScreenWorld(frames: readonly Frame[]): Promise<ScreenWorld> {
  const app = await openTestApp({ workJobs: false });
  const { engines } = app;
  const world = await openLeakWorld(app, { frames });
  const { browser, userId } = world.creator;
  const traceKey = await engines.database.work({ kind: 'system' }, (tx) => ensureTraceKey(tx, engines.keys, userId));
  const work = openTraceWork(engines, { arePhotosFirst: false });
  return {
    mediaIds: world.photos.map(({ mediaId }) => mediaId),
    async invite(name) {
      const { linkId, screenshots } = await world.invite(name);
      const [row] = await readRows(app, 'select id from link_viewers where link_id = $1', [linkId]);
      const grantId = String(row?.id);
      const link = { linkId, linkSeed: linkSeed(traceKey, linkId) };
      return { screenshots, leaker: { grantId, grantSeed: grantSeed(traceKey, grantId), link } };
    },
    bits(leaker, n) {
      const { mediaId, packs } = world.photos[n] as (typeof world.photos)[0];
      return tileCodeword(seedsOf(leaker), mediaId, 'p2048', readPackHeader(packs.p2048.bytes));
    },
    async trace(clip) {
      advance(app, 3_600_000);
      const { traceId } = (await upload(world, clip, browser)).body;
      await work.run(traceId, new AbortController().signal);
      const { body } = await app.call('tracing.one', { traceId }, browser);
      const key = await engines.database.work({ kind: 'system' }, (tx) => findTraceKey(tx, engines.keys, traceId));
      if (key === undefined) throw new Error('a trace without its key');
      const stored = await readTraceFile(engines.storage, { traceId, key }, 'readings');
      const readings = stored === undefined ? [] : StoredReadings.parse(JSON.parse(stored.toString()));
      const [row] = await readRows(app, "select (result->>'compared')::int as n from traces where id = $1", [traceId]);
      const items = Array.from(
        Map.groupBy(readings, ({ mediaId }) => mediaId),
        ([mediaId, own]) => ({ mediaId, isMirrored: false, corners: [], readings: own }),
      );
      return {
        named: body.links.map(({ linkId }: { linkId: string }) => linkId),
        read: { items, compared: Number(row?.n) },
      };
    },
    async close() {
      await work.close();
      await app.close();
    },
  };
}
