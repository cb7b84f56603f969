import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { type Database, openDatabase } from '#engines/database/database.ts';
import { askOutside, makeOutsideDatabase } from './outside-postgres.ts';

/** A migrated database of its own on the server of this run; what is left of it goes with the run. */
export async function openTestDatabase(name = `room_${randomUUID().replaceAll('-', '')}`): Promise<Database> {
  const [template, outside] = [inject('template'), inject('outside')];
  const settings = { dataDir: inject('cluster'), migrations: null, log: () => undefined };
  if (outside === null) return openDatabase({ ...settings, name, template });
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
