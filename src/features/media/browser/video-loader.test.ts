import type { KeyLoaderContext, LoaderCallbacks, LoaderConfiguration, LoaderContext } from 'hls.js';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { VideoKeys } from './video-keys.ts';
import type { ListsAhead } from './video-loader.ts';

let videoLoader: typeof import('./video-loader.ts').videoLoader;
let askForLists: typeof import('./video-loader.ts').askForLists;
beforeAll(async () => {
  vi.stubGlobal('self', globalThis); // what a page calls itself
  ({ videoLoader, askForLists } = await import('./video-loader.ts'));
});

const policy = { maxTimeToFirstByteMs: 8000, maxLoadTimeMs: 20_000, timeoutRetry: null, errorRetry: null };
const config: LoaderConfiguration = {
  loadPolicy: policy,
  timeout: 20_000,
  maxRetry: 0,
  retryDelay: 0,
  maxRetryDelay: 0,
};

/** A loader whose keys come when the test says so. */
function start() {
  const said: string[] = [];
  const wishes: { signal: AbortSignal; give: (key: Uint8Array<ArrayBuffer>) => void }[] = [];
  const params = (signal: AbortSignal) =>
    new Promise<Uint8Array<ArrayBuffer>>((give, fail) => {
      signal.addEventListener('abort', () => fail(signal.reason));
      wishes.push({ signal, give });
    });
  const keys: VideoKeys = {
    keyOf: (_track, _n, signal) => params(signal),
    tokenOf: async (_track, _n, signal) => (await params(signal)).toString(),
    close: () => undefined,
  };
  const lists: ListsAhead = new Map();
  const Loader = videoLoader(keys, () => 0, lists);
  const callbacks: LoaderCallbacks<LoaderContext> = {
    onSuccess: ({ data }) =>
      void said.push(`success ${typeof data === 'string' ? data : new Uint8Array(data as ArrayBuffer)[0]}`),
    onError: ({ text }) => void said.push(`error ${text}`),
    onTimeout: () => void said.push('timeout'),
    onAbort: ({ aborted }, { url }) => void said.push(`abort ${aborted} ${url}`),
  };
  const load = (url: string) => {
    const loader = new Loader({} as never);
    loader.load({ url, responseType: 'arraybuffer' } as KeyLoaderContext, config, callbacks);
    return loader;
  };
  return { said, wishes, lists, load };
}

const settled = () => new Promise((go) => setTimeout(go));

describe('who loads a piece of a video', () => {
  test('hears of an abort while its key is awaited, and gets the same key with another try', async () => {
    const { said, wishes, load } = start();
    load('pfkey:v720/7').abort();
    await settled();
    expect(said).toEqual(['abort true pfkey:v720/7']);
    expect(wishes[0]?.signal.aborted, 'nobody fetches it').toBe(true);
    load('pfkey:v720/7');
    wishes[1]?.give(new Uint8Array(16).fill(9));
    await settled();
    expect(said.slice(1)).toEqual(['success 9']);
  });

  test('hears of an abort while the right to the bytes is awaited', async () => {
    const { said, load } = start();
    load('/m/s/pack/0').abort();
    await settled();
    expect(said).toEqual(['abort true /m/s/pack/0']);
  });

  test('says what it is about while it waits: hls.js finds what it aborts by that', () => {
    const { load } = start();
    expect(load('pfkey:audio/1').context?.url).toBe('pfkey:audio/1');
  });

  test('hears nothing any more once it is taken down', async () => {
    const { said, load } = start();
    const loader = load('pfkey:v480/1');
    loader.destroy();
    loader.abort();
    await settled();
    expect(said).toEqual([]);
  });

  /** The page's own way to ask, which says that it was asked. */
  function hearAsked(said: string[]): void {
    const asked = vi.spyOn(Object.getPrototypeOf(videoLoader({} as VideoKeys, () => 0, new Map()).prototype), 'load');
    asked.mockImplementation((context) => void said.push(`asked for ${(context as LoaderContext).url}`));
    onTestFinished(() => asked.mockRestore());
  }

  test('is given a list that was asked for ahead, once and with its times, and asks for one that was refused', async () => {
    const line = vi.spyOn(globalThis, 'fetch');
    line.mockImplementation(async (url) => new Response(`of ${url}`, { status: url === '/v480' ? 200 : 410 }));
    onTestFinished(() => line.mockRestore());
    const { said, lists, load } = start();
    hearAsked(said);
    askForLists(['/v480', '/audio'], lists, new AbortController().signal);
    await settled();
    const [first] = [load('/v480'), load('/audio')];
    await settled();
    const { start: began, first: came, end } = first.stats.loading;
    expect([began > 0, came >= began, end >= came, first.stats.loaded]).toEqual([true, true, true, 8]);
    load('/v480');
    await settled();
    expect(said).toEqual(['success of /v480', 'asked for /audio', 'asked for /v480']);
  });

  test('asks for a list that was asked for ahead and does not come', async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { said, lists, load } = start();
    hearAsked(said);
    lists.set('/v480', new Promise(() => undefined));
    load('/v480');
    await vi.advanceTimersByTimeAsync(policy.maxTimeToFirstByteMs - 1);
    expect(said).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(said).toEqual(['asked for /v480']);
  });

  test('hears of an abort while a list that was asked for ahead is on its way', async () => {
    const { said, lists, load } = start();
    const loading = { start: 1, first: 2, end: 3 };
    lists.set('/v480.m3u8', Promise.resolve({ text: 'a list', loading }));
    load('/v480.m3u8').abort();
    await settled();
    expect(said).toEqual(['abort true /v480.m3u8']);
  });
});
