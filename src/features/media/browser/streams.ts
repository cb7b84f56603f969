import { readAnswer } from './frames.ts';
import { nameOf, readPictureStream, type StreamHead, type Wanted } from './picture-stream.ts';
import type { Pictures } from './pictures.ts';

/** Asks for leases, whose answer is a stream. `body` is sent along (the visit's id). */
export interface Look {
  stream: number;
  url: string;
  body: Readonly<Record<string, unknown>>;
  items: readonly Wanted[];
}

/** What becomes of a stream. */
export type StreamReport =
  /** The first frame: what `open` or `leases` says. */
  | { did: 'head'; stream: number; head: StreamHead }
  /** Nothing more comes; said after a refusal too. */
  | { did: 'ended'; stream: number }
  /** The server says no, at the start of a stream or in its middle. */
  | { did: 'refused'; stream: number; status: number; refusal: unknown }
  /** The line broke. */
  | { did: 'broken'; stream: number }
  /** It was told to halt. `owed`: the pictures that had not come whole; undefined means all of them. */
  | { did: 'halted'; stream: number; owed: string[] | undefined };

/** An answer that is coming in. */
interface Coming {
  line: AbortController;
  reader?: ReturnType<typeof readPictureStream>;
}

/** Of ciphertext that is kept, only the keys are asked for. */
function fetchLeases({ url, body, items }: Look, pictures: Pictures, signal: AbortSignal): Promise<Response> {
  const wanted = items.map(({ mediaId, rendition }) => {
    const isKept = pictures.isKept(nameOf({ mediaId, rendition }));
    return { mediaId, rendition, with: isKept ? 'keys' : 'pack' };
  });
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, items: wanted }),
    signal,
  });
}

/** Reads what comes of a stream and says what it is. */
const readerOf = (pictures: Pictures, stream: number, report: (report: StreamReport) => void) =>
  readPictureStream(pictures, {
    onHead: (head) => report({ did: 'head', stream, head }),
    onRefused: (refusal) => report({ did: 'refused', stream, status: 410, refusal }),
  });

/** The answers that come in, those that the page reads and those that are read here. */
export function createStreams(pictures: Pictures, report: (report: StreamReport) => void) {
  const streams = new Map<number, Coming>();

  const comingOf = (stream: number): Coming => {
    const coming = streams.get(stream) ?? { line: new AbortController() };
    streams.set(stream, coming);
    return coming;
  };
  const take = ({ stream, bytes }: { stream: number; bytes: Uint8Array }) => {
    const coming = comingOf(stream);
    if (coming.line.signal.aborted) return;
    coming.reader ??= readerOf(pictures, stream, report);
    coming.reader.push(bytes);
  };
  const ask = async (request: Look): Promise<readonly Wanted[]> => {
    const { stream } = request;
    const coming = comingOf(stream);
    const answer = await fetchLeases(request, pictures, coming.line.signal);
    if (answer.headers.get('content-type') !== 'application/octet-stream') {
      report({ did: 'refused', stream, status: answer.status, refusal: await answer.json() });
      return [];
    }
    coming.reader = readerOf(pictures, stream, report);
    await readAnswer(answer, (bytes) => take({ stream, bytes }));
    return coming.reader.stale();
  };
  return {
    /** Asks for pictures and reads what comes. */
    async look(request: Look): Promise<void> {
      const { stream } = request;
      try {
        const stale = await ask(request);
        if (stale.length > 0) await ask({ ...request, items: stale });
        report({ did: 'ended', stream });
      } catch {
        report({ did: 'broken', stream }); // the line: the page decides when to try again
      }
      streams.delete(stream);
    },
    /** Bytes of a stream that the page reads. */
    take,
    /** The page's own stream is at its end, or broke. */
    end({ stream, isBroken }: { stream: number; isBroken: boolean }): void {
      streams.delete(stream);
      report({ did: isBroken ? 'broken' : 'ended', stream });
    },
    /** Ends a stream before its end and says what it owes; one that has come to its end meanwhile has said so. */
    halt({ stream }: { stream: number }): void {
      const coming = streams.get(stream);
      if (!coming) return;
      coming.line.abort();
      report({ did: 'halted', stream, owed: coming.reader?.owed()?.map(nameOf) });
    },
    /** What is on its way belongs to a right that is gone: its answers are not read to the end. */
    cut(): void {
      for (const { line } of streams.values()) line.abort();
    },
  };
}
