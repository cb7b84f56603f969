import { Readable } from 'node:stream';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { residentBytes } from '#engines/children/process-tree.ts';
import { openWalls } from '#engines/children/walls.ts';
import { paintJpeg } from '#tests/support/media/paint.ts';
import type { ClipJob } from '../clips/clip-job.ts';
import { openClipReader } from '../clips/clip-reader.ts';
import type { Leak } from '../findings.ts';
import { openTracer } from '../photos/tracer.ts';

const walls = await openWalls({ hidden: [] });
/** Enough for what is usual; our own limits are larger, and so are the files that they stop. */
const peakBytes = 450e6;
const canMeasure = residentBytes(process.pid) !== undefined;

const leakOf = (bytes: Buffer): Leak => ({ sizeBytes: bytes.length, open: () => Readable.from([bytes]) });

describe.runIf(canMeasure)('a child that reads copies and needs more memory than it may take', () => {
  it('is ended over a small file of which a decoder has to hold everything, and the next copy is read', async () => {
    const tracer = openTracer(walls, { peakBytes });
    const plain = sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#864' } });
    const bomb = await plain.jpeg({ progressive: true, chromaSubsampling: '4:4:4', quality: 40 }).toBuffer();
    expect(bomb.length).toBeLessThan(3e6);
    expect(await tracer.fingerprint(leakOf(bomb))).toMatchObject({ outcome: 'failed', code: 'TOO_BIG' });
    expect(await tracer.fingerprint(leakOf(await paintJpeg(7, 1200, 900)))).toMatchObject({ outcome: 'read' });
    await tracer.close();
  });

  it('is ended over frames of a clip, and the next ones are looked at', async () => {
    const clipReader = openClipReader(walls, undefined, { peakBytes });
    const lay = (side: number) => {
      const size = { width: side, height: side };
      const job: ClipJob = { kind: 'lay', video: size, clip: size, pairs: 1 };
      const frame = Buffer.alloc(side * side, 100);
      return clipReader.ask(job, [frame, frame, frame]);
    };
    await expect(lay(5000)).rejects.toMatchObject({ code: 'TOO_BIG' });
    expect((await lay(200)).answer).toMatchObject({ outcome: 'laid' });
    await clipReader.close();
  });
});
