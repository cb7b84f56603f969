import { expect, test } from 'vitest';
import { openOldPostgres } from '#tests/support/database/old-postgres.ts';
import { openDatabase } from './database.ts';

test.each([
  [140_012, '14.12 (Debian 14.12-1)'],
  [90_624, '9.6.24'],
])('a server of the operator that is older than 15 is refused: %i', async (number, words) => {
  const old = await openOldPostgres(number, words);
  const opening = openDatabase({ url: old.url, dataDir: '/nowhere', migrations: null, log: () => undefined });
  await expect(opening).rejects.toThrow(
    `PostgreSQL at DATABASE_URL cannot be used: it is version ${words}, and 15 or newer is needed.`,
  );
  old.close();
});
