import type { Opened, OpenRequest, Refusal } from '../../contract.ts';
import type { Outcome } from '../viewer-app.ts';

/** The line is gone: what was wished can be wished again. */
export const offline = 'No connection. Please try again.';
const broken = 'This is taking too long. Please try again in a moment.';

/** The list at the head of the answer, once it is whole: [u32 length][u8 kind 0][JSON]. */
export function readHead(held: Uint8Array): Opened | undefined {
  if (held.length < 5) return undefined;
  const end = 5 + new DataView(held.buffer, held.byteOffset).getUint32(0);
  return held.length < end ? undefined : (JSON.parse(new TextDecoder().decode(held.subarray(5, end))) as Opened);
}

/** What follows the list: bytes for the drawer. */
export interface OpenStream {
  onOpened(opened: Opened): void;
  onBytes(bytes: Uint8Array): void;
  onEnd(isBroken: boolean): void;
  /** Ends the reading; the rest is asked for another time. */
  until: AbortSignal;
}

/**
 * Asks to be let in. The answer is a stream, and its list is read here and not in the worker, so that the soft colours show
 * even before the worker has started; or it says what is missing.
 */
export async function askToOpen(slug: string, request: Partial<OpenRequest>, stream: OpenStream): Promise<Outcome> {
  try {
    const { answer, said } = await inTurn(async () => {
      const body = JSON.stringify(request);
      const first = await knock(slug, body, stream.until);
      // The cookie came with this answer: the next call brings it along, if this browser keeps any.
      return first.said?.reason === 'NEED_COOKIE' ? knock(slug, body, stream.until) : first;
    });
    return said === undefined ? await readOpened(answer, stream) : outcomeOf(answer.status, said);
  } catch {
    return { failure: navigator.onLine ? broken : offline }; // said to the visitor, who can tap again
  }
}

/**
 * Opens when no other tab of this browser is opening: two that come without a cookie would each be given one, and be two people. A tab that sleeps
 * doesn't hold up the others for long.
 */
async function inTurn<T>(open: () => Promise<T>): Promise<T> {
  let begun: Promise<T> | undefined;
  try {
    return await navigator.locks.request('open', { signal: AbortSignal.timeout(longestTurnMs) }, () => {
      begun = open();
      return begun;
    });
  } catch {
    return begun ?? open(); // without locks as well; what was begun says itself what is wrong
  }
}

const longestTurnMs = 10_000;
const mostKnocks = 4;

type Said = Partial<Refusal> & { message?: string };

/** Where everybody comes at once, some are told to come again: that is done for the visitor, each at another moment. */
async function knock(slug: string, body: string, signal: AbortSignal): Promise<{ answer: Response; said?: Said }> {
  const headers = { 'content-type': 'application/json' };
  for (let times = 1; ; times++) {
    const answer = await fetch(`/api/view/${slug}/open`, { method: 'POST', headers, body, signal });
    if (answer.headers.get('content-type') === 'application/octet-stream') return { answer };
    if (answer.status !== 503 || times === mostKnocks) return { answer, said: await answer.json() };
    const seconds = Number(answer.headers.get('retry-after') ?? 1) * (1 + Math.random());
    await new Promise((next) => setTimeout(next, seconds * 1000));
  }
}

function outcomeOf(status: number, said: Said): Outcome {
  if (said.code === 'LINK') return { refusal: said as Refusal };
  return { failure: status === 500 ? broken : (said.message ?? broken) };
}

async function readOpened(answer: Response, { onOpened, onBytes, onEnd }: OpenStream): Promise<Outcome> {
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  let held = new Uint8Array(0);
  let opened: Opened | undefined;
  while (opened === undefined) {
    const { done, value } = await reader.read();
    if (done) throw new Error('no list');
    const joined = new Uint8Array(held.length + value.length);
    joined.set(held);
    joined.set(value, held.length);
    held = joined;
    opened = readHead(held);
  }
  onOpened(opened);
  onBytes(held);
  void readOn(reader, onBytes).then(
    () => onEnd(false),
    () => onEnd(true),
  );
  return { opened };
}

async function readOn(reader: ReadableStreamDefaultReader<Uint8Array>, onBytes: OpenStream['onBytes']): Promise<void> {
  for (let next = await reader.read(); !next.done; next = await reader.read()) onBytes(next.value);
}
