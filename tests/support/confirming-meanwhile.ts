import { expect } from 'vitest';
import { readRow } from './people.ts';
import type { TestApp } from './test-app.ts';

/** Confirms an address in a transaction that stays open until it is told to commit. */
export function confirmWhile(app: TestApp, email: string): { isUnderWay: Promise<void>; commit(): Promise<void> } {
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done = app.engines.database.work({ kind: 'system' }, async ({ client }) => {
    await client.query('update users set email_verified = true where email = $1', [email]);
    begun.resolve();
    await gate.promise;
  });
  return {
    isUnderWay: begun.promise,
    async commit() {
      gate.resolve();
      await done;
    },
  };
}

/** Waits until somebody waits for what another transaction holds. */
export const waitsForRow = (app: TestApp): Promise<void> =>
  expect
    .poll(async () => {
      const { n } = await readRow<{ n: number }>(
        app,
        `select count(*)::int as n from pg_locks k join pg_stat_activity a on a.pid = k.pid
         where a.datname = current_database() and not k.granted`,
      );
      return n;
    })
    .toBeGreaterThan(0);
