import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Walls } from '#engines/children/walls.ts';
import { plantedDeeds } from '#tests/support/planted/planted-sheet-deeds.ts';
import { openPlantedDesks } from '#tests/support/planted/planted-sheets.ts';
import { LeakRefused } from '../photos/trace-task.ts';
import { type ClipReader, openClipReader } from './clip-reader.ts';

describe('a sheet of stills', () => {
  let walls: Walls;
  let captured: ClipReader;
  /** Whoever waits for a child that hangs waits no longer than this. */
  let hasty: ClipReader;
  const pictures = [Buffer.alloc(30), Buffer.alloc(30)];
  beforeAll(async () => {
    const planted = await openPlantedDesks();
    walls = planted.walls;
    captured = planted.open();
    hasty = planted.open({ taskSeconds: 0.5 });
  });
  afterAll(() => Promise.all([captured.close(), hasty.close()]));

  it('is as large as its pictures side by side', async () => {
    const clipReader = openClipReader(walls, undefined);
    const frames = [0, 120, 240].map((level) => Buffer.alloc(3 * 20 * 30, level));
    const drawn = sharp(await clipReader.drawSheet({ size: { width: 20, height: 30 } }, frames));
    expect(await drawn.metadata()).toMatchObject({ format: 'png', width: 40, height: 60 });
    const { data } = await drawn.raw().toBuffer({ resolveWithObject: true });
    expect([data[0], data[3 * 39], data[3 * 40 * 59], data[3 * (40 * 59 + 39)]]).toEqual([0, 120, 240, 0]);
    await clipReader.close();
  });

  it.for(plantedDeeds.map((deed, n) => [deed, n] as const))('whose child %s is none', async ([deed, width]) => {
    const clipReader = deed === 'hangs' ? hasty : captured;
    const refused = clipReader.drawSheet({ size: { width, height: 10 } }, pictures);
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
