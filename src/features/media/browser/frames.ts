/** One frame of a stream [u32 length][u8 kind][body], perhaps still coming: the body is true up to `filled`. */
export interface Frame {
  kind: number;
  body: Uint8Array<ArrayBuffer>;
  filled: number;
}

const headBytes = 5;
/** Longer than any pack: what claims more is not our stream. */
const mostBytes = 2 ** 25;

/**
 * Cuts bytes into frames while they arrive. `onGrowth` is called whenever a frame has grown, the last time when it is
 * whole, so that a long one can be used before its end.
 */
export function createFrameCutter(onGrowth: (frame: Frame) => void): { push(bytes: Uint8Array): void } {
  const head = new Uint8Array(headBytes);
  let headFilled = 0;
  let frame: Frame | undefined;

  const begin = (): Frame => {
    const length = new DataView(head.buffer).getUint32(0);
    if (length > mostBytes) throw new RangeError('not a stream');
    headFilled = 0;
    return { kind: head[4] ?? 0, body: new Uint8Array(length), filled: 0 };
  };
  /** Takes what it can use of `bytes` and says how much that was. */
  const take = (bytes: Uint8Array): number => {
    if (frame === undefined) {
      const part = bytes.subarray(0, headBytes - headFilled);
      head.set(part, headFilled);
      headFilled += part.length;
      if (headFilled === headBytes) frame = begin();
      return part.length;
    }
    const part = bytes.subarray(0, frame.body.length - frame.filled);
    frame.body.set(part, frame.filled);
    frame.filled += part.length;
    return part.length;
  };
  return {
    push(bytes) {
      for (let at = 0; at < bytes.length; ) {
        at += take(bytes.subarray(at));
        if (frame === undefined) continue;
        const { filled, body } = frame;
        if (filled > 0 || body.length === 0) onGrowth(frame);
        if (filled === body.length) frame = undefined;
      }
    },
  };
}

/** Feeds an answer's bytes to `push` as they come. */
export async function readAnswer(answer: Response, push: (bytes: Uint8Array<ArrayBuffer>) => void): Promise<void> {
  const reader = (answer.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) push(next.value);
}

/** The JSON of a whole frame of kind 0. */
export const jsonOf = ({ body }: Frame): unknown => JSON.parse(new TextDecoder().decode(body));
