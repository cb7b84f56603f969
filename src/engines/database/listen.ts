import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { openOnce } from '#engines/once.ts';
import type { LiveEvent } from './work.ts';

/** Who hears live events. */
export interface Subscriber {
  onEvent: (event: LiveEvent) => void;
  /** Something may have been missed: everything remembered is to be read again. */
  onGap: () => void;
}

export interface Listener {
  /** Resolves when events are heard for certain. */
  add(subscriber: Subscriber): Promise<{ close(): Promise<void> }>;
  close(): Promise<void>;
}

const heartbeatMs = 10_000;
const limits = { keepAlive: true, connectionTimeoutMillis: 5000, query_timeout: 5000 };

/**
 * The one connection of this process that listens, for as many subscribers as there are.
 * A lost connection is opened again with a growing pause; then every subscriber is told of the gap.
 * @param revive called before each further try, to bring back a server that is gone
 */
export function openListener(connection: pg.PoolConfig, revive: () => Promise<void>): Listener {
  const subscribers = new Set<Subscriber>();
  const closing = new AbortController();
  let current: pg.Client | undefined;

  const deliver = (payload: string | undefined) => {
    const event = eventOf(payload);
    if (event !== undefined) for (const { onEvent } of subscribers) onEvent(event);
  };
  const open = async () => {
    const { client, lost } = await openSession(connection, deliver);
    current = client;
    void lost.then(reopen);
  };
  const opened = openOnce(open);
  const reopen = async () => {
    for (let pauseMs = 100; !closing.signal.aborted; pauseMs = Math.min(2 * pauseMs, 2000)) {
      await wait(pauseMs, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
      if (closing.signal.aborted) return;
      const isOpen = await revive()
        .then(open)
        .then(
          () => true,
          () => false,
        ); // the next round tries again
      if (!isOpen) continue;
      for (const { onGap } of subscribers) onGap();
      return;
    }
  };
  return {
    async add(subscriber) {
      await opened();
      subscribers.add(subscriber);
      return { close: async () => void subscribers.delete(subscriber) };
    },
    async close() {
      closing.abort();
      await opened.opened().catch(() => undefined);
      await current?.end().catch(() => undefined);
    },
  };
}

/** Others may use the same channel of the same database; what is no event of ours is passed over. */
function eventOf(payload: string | undefined): LiveEvent | undefined {
  try {
    const event: unknown = JSON.parse(payload ?? '');
    return typeof (event as LiveEvent | null)?.kind === 'string' ? (event as LiveEvent) : undefined;
  } catch {
    return undefined;
  }
}

/** One listening session and the promise of its loss; a beat finds out a line that died without a word. */
async function openSession(connection: pg.PoolConfig, deliver: (payload: string | undefined) => void) {
  const client = new pg.Client({ ...(connection as pg.ClientConfig), ...limits });
  const lost = new Promise<void>((resolve) => {
    client.on('error', () => resolve());
    client.on('end', () => resolve());
  });
  client.on('notification', ({ payload }) => deliver(payload));
  const leave = () => void client.end().catch(() => undefined);
  try {
    await client.connect();
    await client.query('listen live');
  } catch (error) {
    leave();
    throw error;
  }
  const beat = setInterval(
    () => client.query('select 1').catch(() => client.emit('error', new Error('silent'))),
    heartbeatMs,
  );
  beat.unref();
  void lost.then(() => {
    clearInterval(beat);
    leave();
  });
  return { client, lost };
}
