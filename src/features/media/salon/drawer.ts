import type { Canvas } from './drawing.ts';
import { readAnswer } from './frames.ts';
import { nameOf, readPictureStream, type StreamHead, type Wanted } from './picture-stream.ts';
import { createPictures, type PictureReport } from './pictures.ts';
import type { Mark } from './visible-mark.ts';

/** What a page asks of the drawer. Streams are numbered by the page; pictures are named `mediaId/rendition`. */
export type DrawRequest =
  /** Asks for leases and draws what comes. `body` is sent along (the visit's id). */
  | { do: 'look'; stream: number; url: string; body: Readonly<Record<string, unknown>>; items: readonly Wanted[] }
  /** Bytes of a stream that the page itself reads: the answer to `open`. */
  | { do: 'bytes'; stream: number; bytes: Uint8Array }
  /** The page's own stream is at its end, or broke. */
  | { do: 'ended'; stream: number; isBroken: boolean }
  /** A canvas for a picture, before or after its bytes came. A later one takes its place. */
  | { do: 'canvas'; picture: string; canvas: Canvas }
  /** The canvas is not needed any more; its memory is given back at once. */
  | { do: 'free'; picture: string }
  /** The visible mark of everything drawn from now on. */
  | { do: 'mark'; mark: Mark }
  /** The leases were renewed. */
  | { do: 'extend'; forMs: number }
  /** Access has ended: blanks all canvases, forgets all keys. */
  | { do: 'blank' };

/** What the drawer tells its page. */
export type DrawReport =
  | PictureReport
  /** The first frame of a stream: what `open` or `leases` says. */
  | { did: 'head'; stream: number; head: StreamHead }
  /** Nothing more comes; said after a refusal too. */
  | { did: 'ended'; stream: number }
  /** The server says no, at the start of a stream or in its middle. */
  | { did: 'refused'; stream: number; status: number; refusal: unknown }
  /** The line broke. */
  | { did: 'broken'; stream: number }
  /** No renewal came in time: everything is blank. */
  | { did: 'expired' }
  /** The drawer itself could not start. */
  | { did: 'stopped' };

type Look = Extract<DrawRequest, { do: 'look' }>;

/** Decrypts and draws; lives in a worker, or on the page itself where canvases cannot be handed over. */
export function createDrawer(report: (report: DrawReport) => void): (request: DrawRequest) => void {
  const pictures = createPictures(report);
  const streams = new Map<number, ReturnType<typeof readPictureStream>>();
  let expiry: ReturnType<typeof setTimeout> | undefined;
  let line = new AbortController();

  /** What was on its way belongs to a right that is gone: its answers are not read to the end. */
  const blank = () => {
    clearTimeout(expiry);
    line.abort();
    line = new AbortController();
    for (const stream of streams.keys()) streams.set(stream, { push: () => undefined });
    pictures.blank();
  };
  const extend = (forMs: number) => {
    clearTimeout(expiry);
    expiry = setTimeout(() => {
      blank();
      report({ did: 'expired' });
    }, forMs);
  };
  const openStream = (stream: number, onStale: (item: Wanted) => void) =>
    readPictureStream(pictures, {
      onHead: (head) => {
        if (head.expiresInMs !== undefined) extend(head.expiresInMs);
        report({ did: 'head', stream, head });
      },
      onRefused: (refusal) => report({ did: 'refused', stream, status: 410, refusal }),
      onStale,
    });
  const ask = async ({ stream, url, body, items }: Look): Promise<Wanted[]> => {
    const stale: Wanted[] = [];
    const wanted = items.map((item) => ({ ...item, with: pictures.isKept(nameOf(item)) ? 'keys' : 'pack' }));
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, items: wanted }),
      signal: line.signal,
    });
    if (answer.headers.get('content-type') === 'application/octet-stream')
      await readAnswer(answer, openStream(stream, (item) => stale.push(item)).push);
    else report({ did: 'refused', stream, status: answer.status, refusal: await answer.json() });
    return stale;
  };
  const look = async (request: Look) => {
    const { stream } = request;
    try {
      const stale = await ask(request);
      if (stale.length > 0)
        await ask({ ...request, items: stale.map(({ mediaId, rendition }) => ({ mediaId, rendition })) });
      report({ did: 'ended', stream });
    } catch {
      report({ did: 'broken', stream }); // the line: the page decides when to try again
    }
  };
  const takeBytes = (stream: number, bytes: Uint8Array) => {
    const known = streams.get(stream) ?? openStream(stream, () => undefined);
    streams.set(stream, known);
    known.push(bytes);
  };
  const endStream = (stream: number, isBroken: boolean) => {
    streams.delete(stream);
    report({ did: isBroken ? 'broken' : 'ended', stream });
  };
  return (request) => {
    if (request.do === 'look') void look(request);
    else if (request.do === 'bytes') takeBytes(request.stream, request.bytes);
    else if (request.do === 'ended') endStream(request.stream, request.isBroken);
    else if (request.do === 'canvas') pictures.attach(request.picture, request.canvas);
    else if (request.do === 'free') pictures.free(request.picture);
    else if (request.do === 'mark') pictures.setMark(request.mark);
    else if (request.do === 'extend') extend(request.forMs);
    else blank();
  };
}
