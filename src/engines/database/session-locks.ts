import pg from 'pg';
import { DatabaseAway } from './away.ts';

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
   * @throws DatabaseAway when nobody says who has it
   */
  tryTake(name: string, onLost: () => void): Promise<SessionLock | undefined>;
  close(): Promise<void>;
}

interface Session {
  client: pg.Client;
  /** Of the locks that it has or is asking for: what to do when it ends. */
  held: Map<string, () => void>;
  isLost: boolean;
  /** Ends it at once: whatever it had, or may have been given by an answer that did not come, is free. */
  lose(): void;
}

/** How long the database may take for an answer; a line that says nothing for so long is dead. */
const usualPatienceMs = 5000;
const nobody = () => undefined;

/**
 * Advisory locks of one session of its own, which is opened when the first is wanted. A question that stays without an
 * answer leaves open who has the lock, so it ends the session.
 * @param connection an address that keeps a session, past any pooler
 */
export function openSessionLocks(connection: pg.PoolConfig, patienceMs = usualPatienceMs): SessionLocks {
  let opening: Promise<Session> | undefined;
  const session = () => {
    if (opening !== undefined) return opening;
    const now: Promise<Session> = openSession(connection, patienceMs, () => {
      if (opening === now) opening = undefined;
    });
    opening = now;
    return now;
  };
  return {
    async tryTake(name, onLost) {
      const current = await session();
      const { held } = current;
      // To the database a session never disturbs itself: who else asks here must be told by us.
      if (held.has(name)) return undefined;
      held.set(name, nobody);
      if (!(await ask(current, 'select pg_try_advisory_lock(hashtextextended($1, 0)) as is_done', name))) {
        held.delete(name);
        return undefined;
      }
      // Its end may have come right behind the answer.
      if (current.isLost) throw new DatabaseAway(new Error('The session with the locks ended.'));
      held.set(name, onLost);
      return {
        async release() {
          // Of a lost session nothing is left to let go.
          if (held.get(name) !== onLost) return;
          held.set(name, nobody);
          await ask(current, 'select pg_advisory_unlock(hashtextextended($1, 0)) as is_done', name).catch(nobody);
          held.delete(name);
        },
      };
    },
    async close() {
      const current = await opening?.catch(nobody);
      current?.held.clear();
      current?.lose();
    },
  };
}

/**
 * @param forget called when it is of no more use, also when it could not be opened
 * @throws DatabaseAway when the database does not answer
 */
async function openSession(connection: pg.PoolConfig, patienceMs: number, forget: () => void): Promise<Session> {
  const client = new pg.Client({
    ...connection,
    keepAlive: true,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
    pipeline: true, // every upload asks over the same session
  } as pg.ClientConfig);
  const current: Session = {
    client,
    held: new Map(),
    isLost: false,
    lose() {
      if (current.isLost) return;
      current.isLost = true;
      forget();
      const losers = [...current.held.values()];
      current.held.clear();
      for (const onLost of losers) onLost();
      // A polite end would wait for the answers that are missing.
      client.connection.stream.destroy();
    },
  };
  client.on('error', current.lose);
  client.on('end', current.lose);
  try {
    await client.connect();
  } catch (error) {
    current.lose();
    throw new DatabaseAway(error);
  }
  return current;
}

/** @throws DatabaseAway when there is no answer; the session is lost then */
async function ask({ client, lose }: Session, text: string, name: string): Promise<boolean> {
  try {
    const { rows } = await client.query<{ is_done: boolean }>(text, [name]);
    return rows[0]?.is_done === true;
  } catch (error) {
    lose();
    throw new DatabaseAway(error);
  }
}
