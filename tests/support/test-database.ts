import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { type Database, openDatabase } from '#engines/database/database.ts';

/** A migrated database of its own on the server of this run, for tests of one room that need no house. */
export const openTestDatabase = (): Promise<Database> =>
  openDatabase({
    dataDir: inject('cluster'),
    name: `room_${randomUUID().replaceAll('-', '')}`,
    template: inject('template'),
    migrations: null,
    log: () => undefined,
  });
