import pg from 'pg';
import { checkDeadline, DeadlinePassed } from '#engines/deadline.ts';
import { codeOf, DatabaseAway, isAway, isPoolExhausted } from './away.ts';
import type { Embedded } from './embedded.ts';
import { type NoteStatement, openStatementFigures, type StatementFigure } from './statement-figures.ts';
import { type Runner, runWork, type Statement, type Tx } from './work.ts';

/** One way to the database, with connections of its own. */
export interface Lane {
  /** One transaction as `runner`. Nothing of the outside is called inside it. */
  work<T>(runner: Runner, run: (tx: Tx) => Promise<T>, options?: { repeatable?: boolean }): Promise<T>;
  /** One named statement as the system, without a transaction around it: for the hottest reads. */
  query<Row extends object>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]>;
}

/** The lanes of one process, over four pools. */
export interface Lanes {
  usual: Lane;
  urgent: Lane;
  systemPool: pg.Pool;
  waitMs(): number;
  statementCount(): number;
  statements(): StatementFigure[];
  close(): Promise<void>;
}

/** Codes that a repeatable unit of work is tried again for: deadlock and serialization failure. */
const passing = new Set(['40P01', '40001']);
const mostTries = 3;

const limits = {
  statement_timeout: 10_000,
  idle_in_transaction_session_timeout: 15_000,
  connectionTimeoutMillis: 2000,
  /** A line that died without a word is given up when the server itself would have given up the statement. */
  query_timeout: 12_000,
  keepAlive: true,
};

/**
 * Opens the lanes. Every call waits in its own lane only: the urgent one has connections that no crowd can take.
 * @param embedded our own server, which is started again when it is gone; what was lost with it is answered as 503
 */
export function openLanes(
  connection: pg.PoolConfig,
  embedded: Pick<Embedded, 'revive'> | undefined,
  log: (text: string) => void,
): Lanes {
  const asSystem = { ...connection, ...limits, options: '-c role=app_system' };
  const pool = openPool({ ...connection, ...limits, max: 10, pipeline: true } as pg.PoolConfig, log);
  const systemPool = openPool({ ...asSystem, max: 3 }, log);
  const planOnce = `${asSystem.options} -c plan_cache_mode=force_generic_plan`;
  const plannedPool = openPool({ ...asSystem, max: 4, options: planOnce }, log);
  const urgentPool = openPool({ ...asSystem, max: 2, pipeline: true } as pg.PoolConfig, log);
  const { connect, waitMs } = openConnecting(embedded);
  const figures = openStatementFigures();
  let count = 0;
  for (const each of [pool, urgentPool]) countStatements(each, () => count++);

  async function held<T>(run: () => Promise<T>): Promise<T> {
    try {
      checkDeadline();
      return await run();
    } catch (error) {
      if (error instanceof DeadlinePassed) throw new DatabaseAway(error);
      if (!isAway(error)) throw error;
      if (!isPoolExhausted(error)) await embedded?.revive().catch((cause: unknown) => log(String(cause)));
      throw new DatabaseAway(error);
    }
  }
  const queryOver = <Row extends object>(from: pg.Pool, statement: Statement<Row>, values: readonly unknown[]) =>
    held(() => tryAsk(() => connect(from), statement, values, figures.note));
  const workOver: (from: pg.Pool) => Lane['work'] =
    (from) =>
    (runner, run, { repeatable = false } = {}) =>
      held(() =>
        tryWork(() => connect(from), runner, run, { most: repeatable ? mostTries : 1, noteStatement: figures.note }),
      );
  return {
    usual: {
      work: workOver(pool),
      query(statement, values) {
        count++;
        return queryOver(statement.isPlannedOnce ? plannedPool : systemPool, statement, values);
      },
    },
    urgent: {
      work: workOver(urgentPool),
      query: (statement, values) => queryOver(urgentPool, statement, values),
    },
    systemPool,
    waitMs,
    statementCount: () => count,
    statements: figures.list,
    close: async () => void (await Promise.all([pool, systemPool, plannedPool, urgentPool].map((one) => one.end()))),
  };
}

/** Takes connections out of pools, and knows how long whoever waits longest has waited. */
function openConnecting(embedded: Pick<Embedded, 'revive'> | undefined) {
  const waiting = new Set<{ sinceMs: number }>();
  return {
    /** Nothing has been asked yet, so a server that had to be started again costs no request. */
    async connect(from: pg.Pool): Promise<pg.PoolClient> {
      const wait = { sinceMs: performance.now() };
      waiting.add(wait);
      try {
        return await from.connect();
      } catch (error) {
        if (embedded === undefined || isPoolExhausted(error) || !isAway(error)) throw error;
        await embedded.revive();
        return await from.connect();
      } finally {
        waiting.delete(wait);
      }
    },
    waitMs(): number {
      const [longest] = waiting;
      return longest === undefined ? 0 : performance.now() - longest.sinceMs;
    },
  };
}

async function tryAsk<Row extends object>(
  connect: () => Promise<pg.PoolClient>,
  { name, text }: Statement<Row>,
  values: readonly unknown[],
  noteStatement: NoteStatement,
): Promise<Row[]> {
  const client = await connect();
  const sentMs = performance.now();
  let broken: Error | undefined;
  try {
    return (await client.query({ name, text, values: [...values] })).rows as Row[];
  } catch (error) {
    if (isAway(error)) broken = error as Error;
    throw error;
  } finally {
    noteStatement(name, sentMs);
    client.release(broken);
  }
}

async function tryWork<T>(
  connect: () => Promise<pg.PoolClient>,
  runner: Runner,
  run: (tx: Tx) => Promise<T>,
  { most, noteStatement }: { most: number; noteStatement: NoteStatement },
): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await runWork(await connect(), runner, run, { noteStatement });
    } catch (error) {
      if (tries === most || !passing.has(codeOf(error))) throw error;
    }
}

/** Idle connections break when the server goes: without these listeners that would end the process. */
function openPool(config: pg.PoolConfig, log: (text: string) => void): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', (error) => log(error.message));
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

function countStatements(pool: pg.Pool, count: () => void): void {
  pool.on('connect', (client) => {
    const send = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      count();
      return send(...args);
    }) as typeof client.query;
  });
}
