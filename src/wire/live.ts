import type { ServerResponse } from 'node:http';
import type { LiveEvent } from '#engines/database/work.ts';
import { newToken } from '#kit/ids.ts';

/** Which events a listener hears: those that carry one of its ids. */
export interface Subscription {
  creatorId?: string;
  linkId?: string;
  viewerId?: string;
  visitId?: string;
  /** What a link shows. */
  albumIds?: readonly string[];
}

interface Listener {
  response: ServerResponse;
  wanted: Subscription;
  /** Session or viewer; at most two streams each. */
  owner: string;
  show: Show;
}

/** What a listener may see of an event; undefined keeps it from them. */
export type Show = (event: LiveEvent) => object | undefined;

/** An event with its number, kept for browsers that were away for a moment. */
interface Kept {
  id: string;
  atMs: number;
  event: LiveEvent;
}

const keptMs = 120_000;
const mostKept = 2000;
const slowBytes = 65_536;
/** A stream is opened again after this time, so that who may hear it is asked again. */
const longestMs = 15 * 60_000;
const refetch = 'data: {"kind":"refetch"}\n\n';

const keysOf = ({ creatorId, linkId, viewerId, visitId, albumId }: LiveEvent | Omit<LiveEvent, 'kind'>) =>
  Object.entries({ creatorId, linkId, viewerId, visitId, albumId }).flatMap(([name, id]) =>
    id === undefined ? [] : [`${name}:${id}`],
  );
const keysWanted = ({ albumIds = [], ...ids }: Subscription) => [
  ...keysOf(ids),
  ...albumIds.flatMap((albumId) => keysOf({ albumId })),
];

/** Sends one event as far as its listener may see it. */
function push(listener: Listener, { id, event }: Kept): void {
  const shown = listener.show(event);
  if (shown !== undefined) write(listener, `id: ${id}\ndata: ${JSON.stringify(shown)}\n\n`);
}

/** Who hears what, by id; a set per id, so that an event costs no more than its listeners. */
class Audience {
  readonly #byKey = new Map<string, Set<Listener>>();
  readonly #byOwner = new Map<string, Set<Listener>>();

  join(listener: Listener): void {
    this.#byOwner.set(listener.owner, this.ofOwner(listener.owner).add(listener));
    for (const key of keysWanted(listener.wanted))
      this.#byKey.set(key, (this.#byKey.get(key) ?? new Set()).add(listener));
  }
  leave(listener: Listener): void {
    for (const key of keysWanted(listener.wanted)) {
      const set = this.#byKey.get(key);
      set?.delete(listener);
      if (set?.size === 0) this.#byKey.delete(key);
    }
    const own = this.ofOwner(listener.owner);
    own.delete(listener);
    if (own.size === 0) this.#byOwner.delete(listener.owner);
  }
  ofOwner(owner: string): Set<Listener> {
    return this.#byOwner.get(owner) ?? new Set();
  }
  of(event: LiveEvent): Set<Listener> {
    return new Set(keysOf(event).flatMap((key) => [...(this.#byKey.get(key) ?? [])]));
  }
  everyone(): Set<Listener> {
    return new Set([...this.#byOwner.values()].flatMap((set) => [...set]));
  }
}

/** A reader who does not keep up is cut: his browser comes back and reads again. What has ended but is not taken yet gets no more. */
function write({ response }: Pick<Listener, 'response'>, text: string): void {
  if (response.writableEnded) return;
  if (response.writableLength > slowBytes) response.destroy();
  else response.write(text);
}

/** Browsers that lost their line together must not come back together. */
const spread = (ms: number) => Math.floor(Math.random() * ms);

/** Sends the head of an event stream and keeps it alive with a comment every 20 s. */
function begin(response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  response.write(`retry: ${2000 + spread(2000)}\n\n`);
  const beat = setInterval(() => write({ response }, ': \n\n'), 20_000);
  const end = setTimeout(() => response.end(), longestMs);
  beat.unref();
  end.unref();
  response.on('close', () => {
    clearInterval(beat);
    clearTimeout(end);
  });
}

/** The open event streams of this process, fed by its one LISTEN connection. */
export interface Live {
  /** Passes one event on to everybody who waits for it. */
  receive(event: LiveEvent): void;
  /** Something may have been missed: everybody reads again. */
  refetchAll(): void;
  /**
   * Opens one event stream; the answer's head must not have been sent.
   * @param lastEventId the browser's `Last-Event-ID`: what came since is sent again, or one `refetch`
   * @param show what the listener may see of each event; everything without it
   */
  open(
    response: ServerResponse,
    wanted: Subscription,
    owner: string,
    lastEventId: string | undefined,
    show?: Show,
  ): void;
  /** Hears every event inside this process; `onGap` is called when some may have been missed. */
  watch(onEvent: (event: LiveEvent) => void, onGap: () => void): void;
  count(): number;
  close(): void;
}

/** @param clock milliseconds since 1970 */
export function createLive(clock: () => number): Live {
  const audience = new Audience();
  const watchers: { onEvent(event: LiveEvent): void; onGap(): void }[] = [];
  const bootId = newToken(8); // another process' numbers are never taken for ours
  let kept: Kept[] = [];
  let lastNumber = 0;

  const catchUp = (listener: Listener, lastEventId: string) => {
    const from = kept.findIndex(({ id }) => id === lastEventId);
    const isCurrent = lastEventId === `${bootId}-${lastNumber}`;
    if (from < 0 && !isCurrent) return write(listener, refetch);
    const keys = new Set(keysWanted(listener.wanted));
    for (const entry of kept.slice(from + 1))
      if (keysOf(entry.event).some((key) => keys.has(key))) push(listener, entry);
  };
  return {
    receive(event) {
      const entry = { id: `${bootId}-${++lastNumber}`, atMs: clock(), event };
      kept.push(entry);
      while (kept.length > mostKept || (kept[0]?.atMs ?? entry.atMs) <= entry.atMs - keptMs) kept.shift();
      for (const watcher of watchers) watcher.onEvent(event);
      for (const listener of audience.of(event)) push(listener, entry);
    },
    refetchAll() {
      kept = [];
      for (const watcher of watchers) watcher.onGap();
      for (const listener of audience.everyone()) write(listener, refetch);
    },
    watch: (onEvent, onGap) => void watchers.push({ onEvent, onGap }),
    open(response, wanted, owner, lastEventId, show = (event) => event) {
      const [oldest, ...others] = audience.ofOwner(owner);
      if (others.length > 0) oldest?.response.end();
      const listener = { response, wanted, owner, show };
      audience.join(listener);
      response.on('close', () => audience.leave(listener));
      begin(response);
      if (lastEventId !== undefined) catchUp(listener, lastEventId);
    },
    count: () => audience.everyone().size,
    close() {
      for (const { response } of audience.everyone()) response.end(`retry: ${500 + spread(3000)}\n\n`);
    },
  };
}
