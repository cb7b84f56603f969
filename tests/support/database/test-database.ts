import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '#engines/database/database.ts';
import { isInMemory } from './database-folder.ts';
import { askOutside, makeOutsideDatabase } from './outside-postgres.ts';

/** A migrated database of its own on the server of this run; what is left of it goes with the run. */
export async function openTestDatabase(name = `room_${randomUUID().replaceAll('-', '')}`): Promise<Database> {
  const [template, outside] = [inject('template'), inject('outside')];
  const settings = { dataDir: inject('cluster'), migrations: null, log: () => undefined };
  if (outside === null) {
    const database = await openDatabase({ ...settings, name, template });
    return isInMemory(settings.dataDir) ? droppedAtClose(database, name) : database;
  }
  const url = await makeOutsideDatabase(outside, name, template);
  const database = await openDatabase({ ...settings, url });
  return {
    ...database,
    async close() {
      await database.close();
      // Connections that are just going hold it a moment longer; then it goes with the run.
      await askOutside(outside, `drop database ${name}`).catch(() => undefined);
    },
  };
}

function droppedAtClose(database: Database, name: string): Database {
  const { host, port } = database.connection;
  return {
    ...database,
    async close() {
      await database.close();
      const postgres = new pg.Client({ host, port, user: 'postgres', database: 'postgres' });
      await postgres.connect();
      await postgres.query(`drop database ${pg.escapeIdentifier(name)} with (force)`);
      await postgres.end();
    },
  };
}
