import type { ServerResponse } from 'node:http';
import type { LiveEvent } from '#engines/database/work.ts';

/** Which events a listener hears: those that carry one of its ids. */
export interface Subscription {
  creatorId?: string;
  linkId?: string;
  viewerId?: string;
  visitId?: string;
}

interface Listener {
  response: ServerResponse;
  wanted: Subscription;
  /** Session or viewer; at most two streams each. */
  owner: string;
  /** Called when the server ends the stream. */
  onEnd: () => void;
}

interface Kept {
  id: number;
  at: number;
  event: LiveEvent;
}

const keptMs = 120_000;
const slowBytes = 65_536;

/** Fans one LISTEN connection out to the open streams of this process; cost per event is the number of its listeners. */
export function createLive(clock: () => number) {
  const listeners = new Map<string, Set<Listener>>();
  const kept: Kept[] = [];
  const bootId = clock().toString(36);
  let lastId = 0;

  const keysOf = ({ creatorId, linkId, viewerId, visitId }: Subscription | LiveEvent) =>
    Object.entries({ creatorId, linkId, viewerId, visitId }).flatMap(([name, id]) => (id === undefined ? [] : [`${name}:${id}`]));
  const leave = (listener: Listener) => {
    for (const key of keysOf(listener.wanted)) {
      const set = listeners.get(key);
      set?.delete(listener);
      if (set?.size === 0) listeners.delete(key);
    }
    listener.onEnd();
  };
  const write = (listener: Listener, text: string) => {
    const { response } = listener;
    if (response.writableLength > slowBytes) response.destroy();
    else response.write(text);
  };
  const textOf = ({ id, event }: Kept) => `id: ${bootId}-${id}\ndata: ${JSON.stringify(event)}\n\n`;
  const audienceOf = (event: LiveEvent) => new Set(keysOf(event).flatMap((key) => [...(listeners.get(key) ?? [])]));
  const everyone = () => new Set([...listeners.values()].flatMap((set) => [...set]));

  return {
    /** Passes one event on to everybody who waits for it. */
    hear(event: LiveEvent): void {
      const entry = { id: ++lastId, at: clock(), event };
      kept.push(entry);
      while (kept[0] !== undefined && kept[0].at < entry.at - keptMs) kept.shift();
      for (const listener of audienceOf(event)) write(listener, textOf(entry));
    },
    /** Something may have been missed: everybody reads anew. */
    refetchAll(): void {
      kept.length = 0;
      for (const listener of everyone()) write(listener, 'data: {"kind":"refetch"}\n\n');
    },
    /**
     * Opens one event stream; the answer's head must not have been sent.
     * @param lastEventId the browser's `Last-Event-ID`; what came since is sent again, or one `refetch`
     */
    open(response: ServerResponse, wanted: Subscription, owner: string, lastEventId: string | undefined): void {
      const others = [...everyone()].filter((other) => other.owner === owner);
      if (others.length >= 2) others[0]?.response.end();
      const beat = setInterval(() => response.write(': \n\n'), 20_000);
      beat.unref();
      const listener: Listener = { response, wanted, owner, onEnd: () => clearInterval(beat) };
      for (const key of keysOf(wanted)) {
        const set = listeners.get(key) ?? new Set();
        listeners.set(key, set.add(listener));
      }
      response.on('close', () => leave(listener));
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
      response.write(`retry: ${2000 + Math.floor(Math.random() * 2000)}\n\n`);
      const [boot, seen] = (lastEventId ?? '').split('-');
      if (lastEventId === undefined) return;
      const keys = new Set(keysOf(wanted));
      if (boot !== bootId) write(listener, 'data: {"kind":"refetch"}\n\n');
      else for (const entry of kept) if (entry.id > Number(seen) && keysOf(entry.event).some((key) => keys.has(key))) write(listener, textOf(entry));
    },
    /** How many streams are open. */
    count: (): number => everyone().size,
    close(): void {
      for (const listener of everyone()) listener.response.end('retry: 1000\n\n');
    },
  };
}
export type Live = ReturnType<typeof createLive>;
