import type { Canvas } from './drawing.ts';
import { createPictures, type PictureReport } from './pictures.ts';
import { createStreams, type Look, type StreamReport } from './streams.ts';
import type { Mark } from './visible-mark.ts';

/** What a page asks of the drawer. Streams are numbered by the page; pictures are named `mediaId/rendition`. */
export type DrawRequest =
  /** Asks for leases and draws what comes. */
  | ({ do: 'look' } & Look)
  /** Bytes of a stream that the page itself reads: the answer to `open`. */
  | { do: 'bytes'; stream: number; bytes: Uint8Array }
  /** The page's own stream is at its end, or broke. */
  | { do: 'ended'; stream: number; isBroken: boolean }
  /** Something else comes first: what this stream still owes is not waited for. */
  | { do: 'halt'; stream: number }
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
  | StreamReport
  /** No renewal came in time: everything is blank. */
  | { did: 'expired' }
  /** The drawer itself could not start. */
  | { did: 'stopped' };

type Acts = { [Do in DrawRequest['do']]: (request: Extract<DrawRequest, { do: Do }>) => unknown };

/** Decrypts and draws; lives in a worker, or on the page itself where canvases cannot be handed over. */
export function createDrawer(report: (report: DrawReport) => void): (request: DrawRequest) => void {
  const pictures = createPictures(report);
  let expiry: ReturnType<typeof setTimeout> | undefined;

  const blank = () => {
    clearTimeout(expiry);
    streams.cut();
    pictures.blank();
  };
  const extend = (forMs: number) => {
    clearTimeout(expiry);
    expiry = setTimeout(() => {
      blank();
      report({ did: 'expired' });
    }, forMs);
  };
  const streams = createStreams(pictures, (said) => {
    if (said.did === 'head' && said.head.expiresInMs !== undefined) extend(said.head.expiresInMs);
    report(said);
  });
  const acts: Acts = {
    look: streams.look,
    bytes: streams.take,
    ended: streams.end,
    halt: streams.halt,
    canvas: ({ picture, canvas }) => pictures.attach(picture, canvas),
    free: ({ picture }) => pictures.free(picture),
    mark: ({ mark }) => pictures.setMark(mark),
    extend: ({ forMs }) => extend(forMs),
    blank,
  };
  return (request) => void (acts[request.do] as (request: DrawRequest) => unknown)(request);
}
