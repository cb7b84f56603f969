import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFrameCutter } from './frames.ts';

const bodies = fc.array(fc.record({ kind: fc.integer({ min: 0, max: 2 }), body: fc.uint8Array({ maxLength: 200 }) }), {
  maxLength: 6,
});

function joined(frames: readonly { kind: number; body: Uint8Array }[]): Uint8Array {
  const parts = frames.flatMap(({ kind, body }) => {
    const head = new Uint8Array(5);
    new DataView(head.buffer).setUint32(0, body.length);
    head[4] = kind;
    return [head, body];
  });
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Cuts at the given places, whatever they are. */
function* cutUp(bytes: Uint8Array, cuts: readonly number[]): Generator<Uint8Array> {
  const places = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((one, other) => one - other);
  let from = 0;
  for (const to of places) {
    yield bytes.slice(from, to);
    from = to;
  }
}

describe('frames', () => {
  test('come out whole and in order, however the line cuts the stream', () => {
    fc.assert(
      fc.property(bodies, fc.array(fc.nat(), { maxLength: 20 }), (frames, cuts) => {
        const whole: { kind: number; body: number[] }[] = [];
        const cutter = createFrameCutter(({ kind, body, filled }) => {
          if (filled === body.length) whole.push({ kind, body: [...body] });
        });
        for (const part of cutUp(joined(frames), cuts)) cutter.push(part);
        expect(whole).toEqual(frames.map(({ kind, body }) => ({ kind, body: [...body] })));
      }),
    );
  });

  test('what is there of an unfinished frame is true already', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        fc.array(fc.nat(), { maxLength: 9 }),
        (body, cuts) => {
          const cutter = createFrameCutter((frame) => {
            expect(frame.body.length).toBe(body.length);
            expect([...frame.body.subarray(0, frame.filled)]).toEqual([...body.subarray(0, frame.filled)]);
          });
          for (const part of cutUp(joined([{ kind: 1, body }]), cuts)) cutter.push(part);
        },
      ),
    );
  });

  test('a length that no picture has is no stream of ours', () => {
    const cutter = createFrameCutter(() => undefined);
    expect(() => cutter.push(Uint8Array.of(255, 255, 255, 255, 1))).toThrow(RangeError);
  });
});
