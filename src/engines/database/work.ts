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
   * Runs some statements as the system and goes back: for jobs, audit, outbox and notices only.
   * Statements of the transaction itself are refused until it has come back.
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
  /** Which process asks, so that it does not answer itself. */
  askerId?: string;
  /** By how many milliseconds a developer has turned the clock of links and visits; only ever in a sandbox. */
  turnedMs?: number;
}

/** A hand-written statement with a name of its own; `Row` is what it answers. */
export interface Statement<Row extends object> {
  name: string;
  text: string;
  /** How long its answer may take where that is longer than anybody would wait; the server's own limit is set in its transaction. */
  mostMs?: number;
  /** Never set: carries the type. */
  row?: Row;
}

/** Declares a hot statement once, beside the store that asks it. */
export const statement = <Row extends object>(name: string, text: string): Statement<Row> => ({ name, text });

/** The same for work in the background that may take minutes: its transaction sets `statement_timeout` as well. */
export const longStatement = <Row extends object>(name: string, text: string): Statement<Row> => ({
  ...statement<Row>(name, text),
  mostMs: mostWorkMs,
});

/** One transaction's life on its connection. */
interface Turn {
  client: pg.PoolClient;
  runner: Runner;
  /** Committed or rolled back: the connection may be another transaction's by now. */
  isOver: boolean;
  /** How many `asSystem` are open. */
  elevations: number;
}

/** Which role a statement must find itself in. */
type Hand = 'runner' | 'system';

/** @throws when a statement was not awaited in time, and would run as somebody else or in somebody else's transaction */
function clientFor(turn: Turn, hand: Hand): pg.PoolClient {
  if (turn.isOver) throw new Error('A statement came after the end of its transaction: something was not awaited.');
  if (hand === 'runner' && turn.elevations > 0)
    throw new Error('A statement came while the door to the system stood open: await it first.');
  return turn.client;
}

class OneConnection implements DatabaseConnection {
  readonly #turn: Turn;
  readonly #hand: Hand;
  constructor(turn: Turn, hand: Hand) {
    this.#turn = turn;
    this.#hand = hand;
  }
  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const client = clientFor(this.#turn, this.#hand);
    const { rows, rowCount } = await client.query(query.sql, query.parameters as unknown[]);
    return rowCount === null ? { rows } : { rows, numAffectedRows: BigInt(rowCount) };
  }
  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('A unit of work does not stream.');
  }
}

/** Hands out the one connection that the unit of work already holds. */
const driverOver = (turn: Turn, hand: Hand): Driver => ({
  init: async () => undefined,
  acquireConnection: async () => new OneConnection(turn, hand),
  beginTransaction: () => Promise.reject(new Error('A unit of work is a transaction already.')),
  commitTransaction: async () => undefined,
  rollbackTransaction: async () => undefined,
  releaseConnection: async () => undefined,
  destroy: async () => undefined,
});

const builderOver = (turn: Turn, hand: Hand) =>
  new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driverOver(turn, hand),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });

const systemRole = `select set_config('role', 'app_system', true)`;

function roleOf(runner: Runner): string {
  if (runner.kind === 'system') return systemRole;
  if (!isUuid(runner.userId)) throw new Error('A creator without a well-formed id cannot work.');
  return `select set_config('role', 'app_user', true), set_config('app.uid', '${runner.userId}', true)`;
}

function txOver(turn: Turn, hand: Hand): Tx {
  let builder: Kysely<Tables> | undefined;
  const tx: Tx = {
    get db() {
      builder ??= builderOver(turn, hand);
      return builder;
    },
    get client() {
      return clientFor(turn, hand);
    },
    query: async ({ name, text, mostMs }, values) => {
      const query = { name, text, values: [...values], ...(mostMs !== undefined && { query_timeout: mostMs }) };
      return (await clientFor(turn, hand).query(query)).rows;
    },
    publish: async (event) => {
      await clientFor(turn, hand).query('select pg_notify($1, $2)', ['live', JSON.stringify(event)]);
    },
    asSystem: (run) => (hand === 'system' ? run(tx) : elevated(turn, run)),
  };
  return tx;
}

/** Opens the door upward and closes it again, also when `run` throws; the last of several that overlap closes it. */
async function elevated<T>(turn: Turn, run: (tx: Tx) => Promise<T>): Promise<T> {
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

/** A transaction that waits for something else than the database gives its connection back after this. */
const mostWorkMs = 300_000;

/**
 * Runs `run` in one transaction as `runner` on a connection of its own.
 * `begin` and the role travel with the first query; if they fail, the block is aborted and that error is thrown.
 * @throws what `run` throws, after a rollback; an error when the commit did not commit
 */
export async function runWork<T>(
  client: pg.PoolClient,
  runner: Runner,
  run: (tx: Tx) => Promise<T>,
  mostMs = mostWorkMs,
): Promise<T> {
  const turn: Turn = { client, runner, isOver: false, elevations: 0 };
  let broken: Error | undefined;
  let refused: unknown;
  let begun: Promise<unknown> = Promise.resolve();
  try {
    begun = client.query(`begin; ${roleOf(runner)}`).catch((error: unknown) => {
      refused = error;
    });
    const tx = txOver(turn, runner.kind === 'system' ? 'system' : 'runner');
    const result = await within(mostMs, run(tx));
    await begun;
    if (refused !== undefined) throw refused;
    turn.isOver = true;
    const { command } = await client.query('commit');
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
