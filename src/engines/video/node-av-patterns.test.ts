import { describe, expect, it } from 'vitest';
import { openNodeAv } from './node-av.ts';

describe.runIf(openNodeAv())('a pattern that a graph holds', () => {
  it('stays as it was when the bytes that it came in are used for something else', async () => {
    const { patternFrame } = await import('./node-av-patterns.ts');
    const bytes = Buffer.alloc(2 * 18 * 10, 7);
    const frame = patternFrame(bytes, { width: 18, height: 10 }, 3);
    const held = frame.clone();
    frame.free();
    bytes.fill(9);
    expect(held?.toBuffer()).toEqual(Buffer.alloc(2 * 18 * 10, 7));
    expect(held).toMatchObject({ pts: 3n, timeBase: { num: 1, den: 1 } });
    held?.free();
  });
});
