import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openWalls, type Walls } from '#engines/children/walls.ts';
import { canDrawClips, tellNoClips } from '#tests/support/clips.ts';
import { openDoing } from '#tests/support/doing.ts';
import { type HouseInTest, openHouse } from '#tests/support/house.ts';
import { type Guest, type LeakWorld, openLeakWorld, upload } from '#tests/support/leaks.ts';
import { plantedDeeds } from '#tests/support/planted-sheet-deeds.ts';
import { recordScreen } from '#tests/support/with-ffmpeg.ts';
import { type ClipDesk, openClipDesk } from './clip-desk.ts';
import { readCopy } from './read-copy.ts';
import { LeakRefused } from './trace-task.ts';
import { openTraceWork } from './trace-work.ts';

if (!canDrawClips) tellNoClips();
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });
const fileOf = (name: string) => fileURLToPath(new URL(`../../../tests/support/${name}`, import.meta.url));
const planted = fileOf('planted-sheet-child.ts');
const readable = [planted, fileOf('planted-sheet-deeds.ts')];

describe('a sheet of stills', () => {
  let walls: Walls;
  let captured: ClipDesk;
  const pictures = [Buffer.alloc(30), Buffer.alloc(30)];
  beforeAll(async () => {
    walls = await openWalls({ hidden: [], readable });
    captured = openClipDesk(walls, undefined, { entry: planted, taskSeconds: 5 });
  });
  afterAll(() => captured.close());

  it('is as large as its pictures side by side', async () => {
    const desk = openClipDesk(walls, undefined);
    const frames = [0, 120, 240].map((level) => Buffer.alloc(3 * 20 * 30, level));
    const drawn = sharp(await desk.drawSheet({ size: { width: 20, height: 30 } }, frames));
    expect(await drawn.metadata()).toMatchObject({ format: 'png', width: 40, height: 60 });
    const { data } = await drawn.raw().toBuffer({ resolveWithObject: true });
    expect([data[0], data[3 * 39], data[3 * 40 * 59], data[3 * (40 * 59 + 39)]]).toEqual([0, 120, 240, 0]);
    await desk.close();
  });

  it.for(plantedDeeds.map((deed, n) => [deed, n] as const))('whose child %s is none', async ([deed, width]) => {
    const refused = captured.drawSheet({ size: { width, height: 10 } }, pictures);
    const codes: Partial<Record<typeof deed, string>> = { hangs: 'TIMEOUT', dies: 'CORRUPT' };
    const error = await refused.then(
      () => undefined,
      (reason: Error) => reason,
    );
    expect(error).toBeInstanceOf(Error);
    if (codes[deed] !== undefined) expect((error as LeakRefused).code).toBe(codes[deed]);
    else expect(error).not.toBeInstanceOf(LeakRefused);
  });
});

describe.runIf(canDrawClips)('a recording of a screen', () => {
  let house: HouseInTest;
  let world: LeakWorld;
  let bob: Guest;
  let walls: Walls;
  let clip: Buffer;
  beforeAll(async () => {
    house = await openHouse({ workJobs: false });
    world = await openLeakWorld(house, { count: 2 });
    bob = await world.invite('Bob');
    walls = await openWalls({ hidden: [], readable });
    clip = await recordScreen(bob.screenshots, { seconds: 2, width: 540, height: 960 });
  });
  afterAll(() => house.close());
  const hand = async () => (await upload(world, clip, world.creator.browser)).body.traceId;

  it('whose pictures cannot be laid side by side is a clip of nothing, whatever its child does', async () => {
    const captured = openClipDesk(walls, undefined, { entry: planted, taskSeconds: 5 });
    const { doing, close } = await openDoing(house, walls, await hand());
    const told = vi.spyOn(house.engines.log, 'warn');
    const deeds = ['answers what it likes', 'leaves garbage', 'hangs', 'dies', 'reports an error'] as const;
    for (const deed of deeds) {
      const width = plantedDeeds.indexOf(deed);
      const drawSheet: ClipDesk['drawSheet'] = (_clip, stills) =>
        captured.drawSheet({ size: { width, height: 10 } }, stills);
      const read = await readCopy({ ...doing, desk: { ...doing.desk, drawSheet } });
      expect(read, deed).toMatchObject({
        outcome: 'read',
        result: { print: { width: 540, height: 960 }, read: { items: [], hasOriginal: false } },
      });
    }
    expect(told.mock.calls.map(([, words]) => words)).toEqual(deeds.map(() => 'the pictures of a clip were not read'));
    await Promise.all([close(), captured.close()]);
  });

  it('whose worker is killed over its pictures ends as if it had not been', async () => {
    const { storage } = house.engines;
    const ask = async (traceId: string) => (await house.call('tracing.one', { traceId }, world.creator.browser)).body;
    const whole = openTraceWork(house.engines, { arePhotosFirst: false });
    const first = await hand();
    await whole.run(first, new AbortController().signal);
    const second = await hand();
    for (const reads of [1, 3]) {
      const stop = new AbortController();
      let left = reads;
      const read: typeof storage.read = (file, range) => {
        if (file.startsWith('media/') && --left === 0) stop.abort(new Error('killed'));
        return storage.read(file, range);
      };
      const killed = openTraceWork({ ...house.engines, storage: { ...storage, read } }, { arePhotosFirst: false });
      await expect(killed.run(second, stop.signal)).rejects.toThrow('killed');
      await killed.close();
    }
    await whole.run(second, new AbortController().signal);
    const [one, other] = [await ask(first), await ask(second)];
    expect(one).toMatchObject({ outcome: 'traced', leak: { stills: 2 }, links: [{ linkId: bob.linkId }] });
    for (const part of ['outcome', 'leak', 'items', 'hasOriginal'] as const) expect(other[part]).toEqual(one[part]);
    expect(other.links.map(({ linkId }: { linkId: string }) => linkId)).toEqual([bob.linkId]);
    await whole.close();
  });
});
