import type { DrawReport, DrawRequest } from './drawer.ts';

/** The page's end of the drawer. */
export interface Drawer {
  post(request: Exclude<DrawRequest, { do: 'canvas' }>): void;
  /** Gives a canvas away for a picture; it must be new and is never drawn on by the page again. */
  lend(picture: string, canvas: HTMLCanvasElement): void;
  close(): void;
}

/**
 * Starts the drawer in a worker, or on the page itself: where canvases cannot be handed over (older Safari), and where there are
 * no workers, because a browser was told to allow none.
 */
export function openDrawer(take: (report: DrawReport) => void): Drawer {
  const canHandOver = 'Worker' in globalThis && 'transferControlToOffscreen' in HTMLCanvasElement.prototype;
  return canHandOver ? openInWorker(take) : openOnPage(take);
}

/** What TypeScript's library of the browser does not know yet. `null` refuses a text. */
export interface TrustedTypes {
  defaultPolicy: object | null;
  createPolicy(
    name: 'default',
    rules: {
      createScriptURL(address: string): string | null;
      createHTML?(text: string): string;
      createScript?(text: string): string;
    },
  ): object;
}

/** Under a policy with trusted types an address becomes a program in this one way: as a built file of ours. React's pages have set more rules by then. */
function trustOwnScripts(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined || trustedTypes.defaultPolicy !== null) return;
  trustedTypes.createPolicy('default', {
    createScriptURL: (address) => (new URL(address, location.href).origin === location.origin ? address : null),
  });
}

function openInWorker(take: (report: DrawReport) => void): Drawer {
  trustOwnScripts();
  const worker = new Worker(new URL('./draw-worker.ts', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<DrawReport>) => take(data);
  worker.onerror = () => take({ did: 'stopped' });
  return {
    post: (request) => worker.postMessage(request, request.do === 'bytes' ? [request.bytes.buffer] : []),
    lend(picture, element) {
      const canvas = element.transferControlToOffscreen();
      worker.postMessage({ do: 'canvas', picture, canvas } satisfies DrawRequest, [canvas]);
    },
    close: () => worker.terminate(),
  };
}

/** Tiles are decoded off the page anyway, one by one, so the page can breathe between them. */
function openOnPage(take: (report: DrawReport) => void): Drawer {
  const here = import('./drawer.ts').then(({ createDrawer }) => createDrawer(take));
  here.catch(() => take({ did: 'stopped' }));
  const alreadyReported = () => undefined;
  const post = (request: DrawRequest) => void here.then((give) => give(request), alreadyReported);
  return {
    post,
    lend: (picture, canvas) => post({ do: 'canvas', picture, canvas }),
    close: () => post({ do: 'blank' }),
  };
}
