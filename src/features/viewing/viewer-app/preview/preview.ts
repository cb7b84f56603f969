import type { PreviewId, ViewerPreview } from '../../preview/preview-contract.ts';
import { createStandIn } from './stand-in.ts';

/**
 * The viewer's own page for the creator whose link it is. It is built on its own, so that no viewer loads a byte of it: the loader
 * and all that it brings are the same, but the server that they speak to is played by this page.
 */
const wantedOf = (search: string) => new URLSearchParams(search).get('show') as PreviewId | 'DOOR' | null;

/** Tells the page of the studio around it. */
const post = (said: { shows: PreviewId | 'DOOR' } | { stays: 'link' }): void =>
  parent.postMessage({ preview: said }, location.origin);

async function loadPreview(): Promise<ViewerPreview> {
  const [, what = '', id = ''] = /^\/preview\/(links|albums)\/([\da-f-]+)/i.exec(location.pathname) ?? [];
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const answer = await fetch(`/api/v1/${what}/${id}/preview?${new URLSearchParams({ timeZone })}`);
  if (!answer.ok) throw new Error(`${answer.status}`);
  return (await answer.json()) as ViewerPreview;
}

/** A line on which nothing ever comes. */
class SilentLine extends EventTarget {
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  readyState = SilentLine.OPEN;
  close(): void {
    this.readyState = SilentLine.CLOSED;
  }
}

/** Nothing of a viewer leaves this page: its calls are answered here, its links lead nowhere. */
function standIn(preview: ViewerPreview, wanted: PreviewId): void {
  const server = createStandIn({
    preview,
    wanted,
    now: () => performance.now(),
    onShown: (shows) => post({ shows }),
  });
  const send = globalThis.fetch.bind(globalThis);
  globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
    return server.answer(pathname, String(init?.body ?? '{}')) ?? send(input, init);
  };
  globalThis.EventSource = SilentLine as unknown as typeof EventSource;
  document.addEventListener(
    'click',
    (event) => {
      if (!(event.target instanceof Element) || event.target.closest('a[href]') === null) return;
      event.preventDefault();
      post({ stays: 'link' });
    },
    { capture: true },
  );
}

async function begin(): Promise<void> {
  const preview = await loadPreview();
  const wanted = wantedOf(location.search);
  standIn(preview, wanted === null || wanted === 'DOOR' ? preview.first : wanted);
  // The page reads its slug in its address and shows the address to be copied.
  if (preview.slug !== undefined) history.replaceState(null, '', `/view/${preview.slug}`);
  await import('../loader.ts');
  if (wanted === null || wanted === 'DOOR') post({ shows: 'DOOR' });
  else document.getElementById('open')?.click();
}

begin().catch(() => {
  const word = document.getElementById('word');
  if (word !== null) word.textContent = "The preview couldn't be loaded. Please reload the page.";
});
