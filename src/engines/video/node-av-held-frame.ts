import { AV_NOPTS_VALUE, type Frame, Rational } from 'node-av';
import { framesPerSecond } from './plan.ts';

/** A graph makes all that lies between two frames at once, in every size: of so much it can hold the pictures. */
const mostStepSeconds = 1;
/** Clocks that count in coarser steps are made finer, or there would be no moment for a frame in between. */
const leastTicks = 1000;

const ticksOf = ({ timeBase: { num, den } }: Frame) => den / num;
/** The moment of a frame, on its own clock. */
export const secondsAt = (frame: Frame): number => Number(frame.pts) / ticksOf(frame);

/**
 * Every frame stands until the next one, however long that is, and the last one as long as it says itself: it is handed over once
 * more for each second of that. So no graph has to make a minute of pictures out of one frame, or to guess how long the last one is.
 * @param tailSeconds how much longer the last one stands, but not beyond `lastSecond`
 * @param mostSeconds where everything is cut off
 */
export async function* holdingLastFrame(
  frames: AsyncIterable<Frame>,
  { tailSeconds, lastSecond, mostSeconds }: { tailSeconds: number; lastSecond: number; mostSeconds: number },
): AsyncGenerator<Frame> {
  let last: Frame | undefined;
  for await (const frame of frames) {
    if (frame.pts === AV_NOPTS_VALUE || secondsAt(frame) > mostSeconds) {
      frame.free();
      continue;
    }
    refine(frame);
    if (last !== undefined) yield* again(last, secondsAt(frame));
    last?.free();
    last = frame.clone() ?? undefined;
    yield frame;
  }
  if (last === undefined) return;
  const itself = secondsAt(last) + Number(last.duration) / ticksOf(last);
  const end = Math.max(itself, Math.min(itself + tailSeconds, lastSecond));
  const lastFrame = Math.min(mostSeconds, end) - 1 / framesPerSecond;
  yield* again(last, lastFrame);
  if (lastFrame > secondsAt(last)) yield at(last, lastFrame);
  last.free();
}

/** The same frame once more for every step before a moment. */
function* again(frame: Frame, beforeSeconds: number): Generator<Frame> {
  const from = secondsAt(frame);
  for (let n = 1; from + n * mostStepSeconds < beforeSeconds; n++) yield at(frame, from + n * mostStepSeconds);
}

function at(frame: Frame, seconds: number): Frame {
  const copy = frame.clone();
  if (copy === null) throw new Error('no memory for a frame');
  copy.pts = BigInt(Math.round(seconds * ticksOf(frame)));
  copy.duration = BigInt(Math.round(ticksOf(frame) / framesPerSecond));
  return copy;
}

function refine(frame: Frame): void {
  const by = Math.ceil(leastTicks / ticksOf(frame));
  if (by <= 1) return;
  const { num, den } = frame.timeBase;
  frame.pts *= BigInt(by);
  frame.duration *= BigInt(by);
  frame.timeBase = new Rational(num, den * by);
}
