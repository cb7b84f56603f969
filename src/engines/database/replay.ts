import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { waiting } from './archiving.ts';
import { type Cluster, readyCluster } from './cluster.ts';
import { answers, hasEnded, type Server, spawnServer, stopServer } from './embedded.ts';
import { numberAt } from './log-chain.ts';

/** Where the log lies that is replayed, in the folder of the cluster, where the server's account can read it. */
const replayed = 'pf_replay';

/**
 * Replays with nothing but the log: nobody is let in before its end. What closes the old timeline is kept until the next start
 * that keeps the log, so an older base can still be brought to what comes after.
 */
const settings = {
  ...waiting.settings,
  hot_standby: 'off',
  restore_command: `test -f "${replayed}/%f.gz" && gzip -dc "${replayed}/%f.gz" >"%p"`,
  recovery_target_timeline: 'latest',
  recovery_target_action: 'promote',
};

/** What was replayed. */
export interface Replayed {
  /** The segment in which the replay ended. */
  number: number;
  /** When the last thing was done that is in it. */
  lastAt: Date | undefined;
  /** Whether it ended at the moment that was asked for, and not with the log before it. */
  isAtMoment: boolean;
}

/** Makes the cluster that was laid in `data` begin with a replay. @returns the folder that its log has to be put into */
export function layReplay(data: string): string {
  writeFileSync(path.join(data, 'recovery.signal'), '', { mode: 0o600 });
  const folder = path.join(data, replayed);
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/**
 * Replays the log that was laid, up to its end or to what had been done at a moment, and stops the server.
 * @throws with the words of PostgreSQL
 */
export async function replayLog(dataDir: string, log: (text: string) => void, until?: Date): Promise<Replayed> {
  const cluster = readyCluster(dataDir);
  // Names of zones, and so also the Z, are not known yet when the server reads this.
  const target = until === undefined ? {} : { recovery_target_time: until.toISOString().replace('Z', '+00') };
  const result =
    (await replay(cluster, log, target)) ??
    // Nothing was done after the moment: then all of it is meant.
    (await replay(cluster, log, {}));
  if (result === undefined) throw new Error('PostgreSQL did not reach the end of the log.');
  rmSync(path.join(cluster.data, replayed), { recursive: true });
  return result;
}

/** @returns undefined when the log ended before the moment that was asked for */
async function replay(
  cluster: Cluster,
  log: (text: string) => void,
  target: Record<string, string>,
): Promise<Replayed | undefined> {
  const server = spawnServer(cluster, log, { settings: { ...settings, ...target }, environment: {} });
  try {
    while (!(await answers(cluster.socket))) {
      if (hasEnded(server)) return endsEarly(server);
      await wait(100);
    }
    return { ...(await askReplayed(cluster.socket)), isAtMoment: 'recovery_target_time' in target };
  } finally {
    await stopServer(server);
  }
}

/** @throws with its words, unless it ended because the log did */
function endsEarly({ lastWords }: Server): undefined {
  if (lastWords.some((line) => line.includes('recovery ended before configured recovery target was reached'))) return;
  throw new Error(`PostgreSQL could not replay the log. ${lastWords.join(' ')}`);
}

async function askReplayed(host: string): Promise<Omit<Replayed, 'isAtMoment'>> {
  const client = new pg.Client({ host, port: 5432, user: 'postgres', database: 'postgres' });
  await client.connect();
  try {
    const { rows } = await client.query<{ lsn: string; at: Date | null }>(
      'select pg_last_wal_replay_lsn()::text as lsn, pg_last_xact_replay_timestamp() as at',
    );
    return { number: numberAt(rows[0]?.lsn ?? ''), lastAt: rows[0]?.at ?? undefined };
  } finally {
    await client.end();
  }
}
