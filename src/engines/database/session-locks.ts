import pg from 'pg';

/** A lock that this process holds until it lets go, or until its session with the database ends. */
export interface SessionLock {
  release(): Promise<void>;
}

/** Locks by name between the processes of one database; those of a process that died are free at once. */
export interface SessionLocks {
  /**
   * Takes a lock, or says that somebody has it, in whichever process.
   * @param onLost called when the session ended while the lock was held: somebody else may have it from now on
   * @returns undefined when it is taken
   */
  tryTake(name: string, onLost: () => void): Promise<SessionLock | undefined>;
  close(): Promise<void>;
}

/** Of the locks of one session: what to do when it ends. */
type Held = Map<string, () => void>;

interface Session {
  client: pg.Client;
  held: Held;
}

/**
 * Advisory locks of one session of its own, which is opened when the first is wanted.
 * @param connection an address that keeps a session, past any pooler
 */
export function openSessionLocks(connection: pg.PoolConfig): SessionLocks {
  let opening: Promise<Session> | undefined;

  const open = async (): Promise<Session> => {
    const client = new pg.Client({
      ...connection,
      keepAlive: true,
      query_timeout: 5000,
      pipeline: true, // every upload asks over the same session
    } as pg.ClientConfig);
    const held: Held = new Map();
    let isLost = false;
    const lose = () => {
      if (isLost) return;
      isLost = true;
      opening = undefined;
      const losers = [...held.values()];
      held.clear();
      for (const onLost of losers) onLost();
      void client.end().catch(() => undefined);
    };
    client.on('error', lose);
    client.on('end', lose);
    await client.connect();
    return { client, held };
  };
  const session = () => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    async tryTake(name, onLost) {
      const { client, held } = await session();
      // To the database a session never disturbs itself: who else asks here must be told by us.
      if (held.has(name)) return undefined;
      held.set(name, onLost);
      const isOurs = await ask(client, 'select pg_try_advisory_lock(hashtextextended($1, 0)) as is_done', name).catch(
        (error: unknown) => {
          held.delete(name);
          throw error;
        },
      );
      if (!isOurs) {
        held.delete(name);
        return undefined;
      }
      return {
        async release() {
          // Of a lost session nothing is left to let go.
          if (held.get(name) !== onLost) return;
          await ask(client, 'select pg_advisory_unlock(hashtextextended($1, 0)) as is_done', name);
          held.delete(name);
        },
      };
    },
    async close() {
      const current = await opening?.catch(() => undefined);
      current?.held.clear();
      await current?.client.end().catch(() => undefined);
    },
  };
}

async function ask(client: pg.Client, text: string, name: string): Promise<boolean> {
  const { rows } = await client.query<{ is_done: boolean }>(text, [name]);
  return rows[0]?.is_done === true;
}
