import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type pg from 'pg';
import { within } from '#engines/deadline.ts';
import { isUuid } from '#kit/ids.ts';
import type { NoteStatement } from './statement-figures.ts';
import type { Tables } from './tables.ts';

/** As whom a unit of work runs: a signed-in creator under row-level security, or the system. */
export type Runner = { kind: 'user'; userId: string } | { kind: 'system' };

/** One open transaction. Stores take it and nothing else. */
export interface Tx {
  /** Query builder over this transaction's connection. */
  readonly db: Kysely<Tables>;
  /** Runs hand-written SQL as a named prepared statement: for hot paths. */
  query<Row extends object>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]>;
  /**
   * Runs statements as the system, then returns to the runner's role: for jobs, audit, outbox and notices only.
   * Until it settles, the transaction's own statements are refused.
   */
  asSystem<T>(run: (tx: Tx) => Promise<T>): Promise<T>;
  /** Tells every process that something changed; ids only, sent when the transaction commits. */
  publish(event: LiveEvent): Promise<void>;
  /** The connection itself, for libraries that must write inside this transaction. */
  readonly client: pg.PoolClient;
}

/** What a live event may carry: kinds and ids, never content. */
export interface LiveEvent {
  kind: string;
  creatorId?: string;
  linkId?: string;
  visitId?: string;
  grantId?: string;
  viewerId?: string;
  mediaId?: string;
  albumId?: string;
  /** Process that sent the event, so that it ignores its own. */
  senderId?: string;
  /** Milliseconds by which a developer has shifted the clock of links and visits; in a sandbox only. */
  turnedMs?: number;
  /** Until when every process writes details into its log. */
  logsDebugUntilMs?: number;
}

/** A hand-written statement and the name it is prepared under; `Row` is the type of its rows. */
export interface Statement<Row extends object> {
  name: string;
  text: string;
  /** Whether it is planned once for each connection, for any values. */
  isPlannedOnce?: true;
  /** Timeout on the client's side, for statements that may outlast the pool's default; their transaction raises `statement_timeout` itself. */
  timeoutMs?: number;
  /** Never set: carries the type. */
  row?: Row;
}

/** Declares a prepared statement for a hot path, once, beside the store that uses it. */
export const statement = <Row extends object>(name: string, text: string): Statement<Row> => ({ name, text });

/**
 * Declares one that finds its rows by their ids or keys, so that one plan serves all values: PostgreSQL would plan a large one, or one with
 * lists among its values, again each time. Holds for statements that are sent without a transaction (`Lane.query`).
 */
export const statementPlannedOnce = <Row extends object>(name: string, text: string): Statement<Row> => ({
  ...statement<Row>(name, text),
  isPlannedOnce: true,
});

/** Declares a statement for background work that may take minutes; its transaction must set `statement_timeout` as well. */
export const longStatement = <Row extends object>(name: string, text: string): Statement<Row> => ({
  ...statement<Row>(name, text),
  timeoutMs: mostWorkMs,
});

/** State of one transaction on its connection. */
interface TxState {
  client: pg.PoolClient;
  runner: Runner;
  /** Committed or rolled back: the connection may be another transaction's by now. */
  isOver: boolean;
  /** Number of `asSystem` calls in progress. */
  elevations: number;
  noteStatement: NoteStatement;
}

/** Role that a statement has to run in: the runner's own, or the system's. */
type RequiredRole = 'runner' | 'system';

/** @throws when a statement that was not awaited would run in the wrong role, or in another transaction */
function clientFor(state: TxState, role: RequiredRole): pg.PoolClient {
  if (state.isOver) throw new Error('A statement came after the end of its transaction: something was not awaited.');
  if (role === 'runner' && state.elevations > 0)
    throw new Error('A statement was sent while asSystem was in progress: await asSystem first.');
  return state.client;
}

/** Sends a statement, and notes how long it took, however it ended. */
async function noted<T>({ noteStatement }: TxState, statement: string, send: () => Promise<T>): Promise<T> {
  const sentMs = performance.now();
  try {
    return await send();
  } finally {
    noteStatement(statement, sentMs);
  }
}

class OneConnection implements DatabaseConnection {
  readonly #turn: TxState;
  readonly #hand: RequiredRole;
  constructor(state: TxState, role: RequiredRole) {
    this.#turn = state;
    this.#hand = role;
  }
  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const client = clientFor(this.#turn, this.#hand);
    const { rows, rowCount } = await noted(this.#turn, query.sql, () =>
      client.query(query.sql, query.parameters as unknown[]),
    );
    return rowCount === null ? { rows } : { rows, numAffectedRows: BigInt(rowCount) };
  }
  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('A unit of work does not stream.');
  }
}

/** Hands out the one connection that the unit of work already holds. */
const driverOver = (state: TxState, role: RequiredRole): Driver => ({
  init: async () => undefined,
  acquireConnection: async () => new OneConnection(state, role),
  beginTransaction: () => Promise.reject(new Error('A unit of work is a transaction already.')),
  commitTransaction: async () => undefined,
  rollbackTransaction: async () => undefined,
  releaseConnection: async () => undefined,
  destroy: async () => undefined,
});

const builderOver = (state: TxState, role: RequiredRole) =>
  new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driverOver(state, role),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });

const systemRole = `select set_config('role', 'app_system', true)`;

function roleOf(runner: Runner): string {
  if (runner.kind === 'system') return systemRole;
  if (!isUuid(runner.userId)) throw new Error('A transaction of a creator needs a well-formed id.');
  return `select set_config('role', 'app_user', true), set_config('app.uid', '${runner.userId}', true)`;
}

function txOver(turn: TxState, hand: RequiredRole): Tx {
  let builder: Kysely<Tables> | undefined;
  const tx: Tx = {
    get db() {
      builder ??= builderOver(turn, hand);
      return builder;
    },
    get client() {
      return clientFor(turn, hand);
    },
    query: async ({ name, text, timeoutMs }, values) => {
      const query = { name, text, values: [...values], ...(timeoutMs !== undefined && { query_timeout: timeoutMs }) };
      const client = clientFor(turn, hand);
      return (await noted(turn, name, () => client.query(query))).rows;
    },
    publish: async (event) => {
      await clientFor(turn, hand).query('select pg_notify($1, $2)', ['live', JSON.stringify(event)]);
    },
    asSystem: (run) => (hand === 'system' ? run(tx) : elevated(turn, run)),
  };
  return tx;
}

/** Runs `run` in the system role, then restores the runner's role, even after an error; of overlapping calls the last restores it. */
async function elevated<T>(turn: TxState, run: (tx: Tx) => Promise<T>): Promise<T> {
  if (turn.isOver) throw new Error('A statement came after the end of its transaction: something was not awaited.');
  turn.elevations++;
  let failed = true;
  try {
    await turn.client.query(systemRole);
    const result = await run(txOver(turn, 'system'));
    failed = false;
    return result;
  } finally {
    turn.elevations--;
    // In a block that was aborted by an error the role cannot be set, and nothing can run any more; the connection of a turn that is
    // over is somebody else's.
    if (turn.elevations === 0 && !turn.isOver)
      await turn.client
        .query(roleOf(turn.runner))
        .catch((error: unknown) => (failed ? undefined : Promise.reject(error)));
  }
}

/** Longest a transaction may take: after that its connection is given back, even if it still waits for something else. */
const mostWorkMs = 300_000;

interface WorkSettings {
  timeoutMs?: number;
  noteStatement?: NoteStatement;
}

/**
 * Runs `run` in one transaction as `runner`, then releases the connection.
 * `begin` and the role are pipelined with the first query; when they fail, their error is thrown.
 * @throws what `run` throws, after a rollback; an error when the commit turned into a rollback
 */
export async function runWork<T>(
  client: pg.PoolClient,
  runner: Runner,
  run: (tx: Tx) => Promise<T>,
  { timeoutMs = mostWorkMs, noteStatement = () => undefined }: WorkSettings = {},
): Promise<T> {
  const turn: TxState = { client, runner, isOver: false, elevations: 0, noteStatement };
  let broken: Error | undefined;
  let refused: unknown;
  let begun: Promise<unknown> = Promise.resolve();
  try {
    begun = client.query(`begin; ${roleOf(runner)}`).catch((error: unknown) => {
      refused = error;
    });
    const tx = txOver(turn, runner.kind === 'system' ? 'system' : 'runner');
    const result = await within(timeoutMs, run(tx));
    await begun;
    if (refused !== undefined) throw refused;
    turn.isOver = true;
    const { command } = await noted(turn, 'commit', () => client.query('commit'));
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back: an error inside it was swallowed.');
    return result;
  } catch (error) {
    turn.isOver = true;
    await begun;
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw refused ?? error;
  } finally {
    client.release(broken);
  }
}
