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
import { isUuid } from '#kit/ids.ts';
import type { Tables } from './tables.ts';

/** As whom a unit of work runs: a signed-in creator under row-level security, or the system. */
export type Runner = { kind: 'user'; userId: string } | { kind: 'system' };

/** One open transaction. Stores take it and nothing else. */
export interface Tx {
  /** Query builder over this transaction's connection. */
  db: Kysely<Tables>;
  /** Runs hand-written SQL as a named prepared statement: for hot paths. */
  ask<Row extends object>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]>;
  /** Runs some statements as the system and goes back: for jobs, audit, outbox and notices only. */
  asSystem<T>(run: (tx: Tx) => Promise<T>): Promise<T>;
  /** Tells every process that something changed; ids only, sent when the transaction commits. */
  tell(event: LiveEvent): Promise<void>;
  /** The connection itself, for libraries that must write inside this transaction. */
  client: pg.PoolClient;
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
}

/** A hand-written statement with a name of its own; `Row` is what it answers. */
export interface Statement<Row extends object> {
  name: string;
  text: string;
  /** Never set: carries the type. */
  row?: Row;
}

/** Declares a hot statement once, beside the store that asks it. */
export const statement = <Row extends object>(name: string, text: string): Statement<Row> => ({ name, text });

class OneConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  constructor(client: pg.PoolClient) {
    this.#client = client;
  }
  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, rowCount } = await this.#client.query(query.sql, query.parameters as unknown[]);
    return rowCount === null ? { rows } : { rows, numAffectedRows: BigInt(rowCount) };
  }
  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('A unit of work does not stream.');
  }
}

/** Hands out the one connection that the unit of work already holds. */
const driverOver = (client: pg.PoolClient): Driver => ({
  init: async () => undefined,
  acquireConnection: async () => new OneConnection(client),
  beginTransaction: () => Promise.reject(new Error('A unit of work is a transaction already.')),
  commitTransaction: async () => undefined,
  rollbackTransaction: async () => undefined,
  releaseConnection: async () => undefined,
  destroy: async () => undefined,
});

const builders = new WeakMap<pg.PoolClient, Kysely<Tables>>();

function builderOver(client: pg.PoolClient): Kysely<Tables> {
  const known = builders.get(client);
  if (known !== undefined) return known;
  const made = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driverOver(client),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  builders.set(client, made);
  return made;
}

const systemRole = `select set_config('role', 'app_system', true)`;

function roleOf(runner: Runner): string {
  if (runner.kind === 'system') return systemRole;
  if (!isUuid(runner.userId)) throw new Error('A creator without a well-formed id cannot work.');
  return `select set_config('role', 'app_user', true), set_config('app.uid', '${runner.userId}', true)`;
}

function txOver(client: pg.PoolClient, runner: Runner): Tx {
  const tx: Tx = {
    db: builderOver(client),
    client,
    ask: async ({ name, text }, values) => (await client.query({ name, text, values: [...values] })).rows,
    tell: async (event) => {
      await client.query('select pg_notify($1, $2)', ['live', JSON.stringify(event)]);
    },
    async asSystem(run) {
      if (runner.kind === 'system') return run(tx);
      await client.query(systemRole);
      const result = await run(txOver(client, { kind: 'system' }));
      await client.query(roleOf(runner));
      return result;
    },
  };
  return tx;
}

/**
 * Runs `run` in one transaction as `runner` on a connection of its own.
 * `begin` and the role travel with the first query; if they fail, the block is aborted and that error is thrown.
 * @throws what `run` throws, after a rollback; an error when the commit did not commit
 */
export async function runWork<T>(client: pg.PoolClient, runner: Runner, run: (tx: Tx) => Promise<T>): Promise<T> {
  let broken: Error | undefined;
  let refused: unknown;
  const begun = client.query(`begin; ${roleOf(runner)}`).catch((error: unknown) => {
    refused = error;
  });
  try {
    const result = await run(txOver(client, runner));
    await begun;
    if (refused !== undefined) throw refused;
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back: an error inside it was swallowed.');
    return result;
  } catch (error) {
    await begun;
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw refused ?? error;
  } finally {
    client.release(broken);
  }
}
