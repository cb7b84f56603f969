import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Database, openDatabase } from '#engines/database/database.ts';
import { migrate } from '#engines/database/migrate.ts';

describe('books from before', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-sums-before-'));
  let older: Database;
  let client: pg.Client;
  beforeAll(async () => {
    const name = `sums_before_${randomUUID().slice(0, 8)}`;
    older = await openDatabase({ dataDir: inject('cluster'), name, migrations: null, log: () => undefined });
    client = new pg.Client(older.connection as pg.ClientConfig);
    await client.connect();
    for (const file of readdirSync('db/migrations'))
      if (file < '0108') cpSync(path.join('db/migrations', file), path.join(folder, file));
    await migrate(client, folder);
  });
  afterAll(async () => {
    await client.end();
    await older.close();
    rmSync(folder, { recursive: true });
  });

  it('are added up when they come to this version, and what was sold is known by its order', async () => {
    const userId = randomUUID();
    await client.query('begin; set local role app_system');
    await client.query(`insert into users (id, email, created_at) values ($1, 'mia@example.com', now())`, [userId]);
    await client.query(
      `insert into checkout_orders (id, provider, livemode, kind, state, creator_id, acct_id, amount_cents, fee_cents, currency, charge_id, expires_at, created_at)
      values ($1, 'sandbox', false, 'album', 'paid', $2, 'acct_1', 1000, 100, 'usd', 'ch_1', now(), now())`,
      [randomUUID(), userId],
    );
    await client.query(
      `insert into ledger_accounts (provider, livemode, key, kind, owner_user_id, currency) select 'sandbox', false, k, 'asset', $1::uuid, 'usd'
      from unnest(array['liability:creator:acct_1', 'custody:acct_1']) k union all select 'sandbox', false, 'asset:stripe', 'asset', null::uuid, 'usd'`,
      [userId],
    );
    for (const [kind, key, cents] of [
      ['charge', 'liability:creator:acct_1', -900],
      ['transfer', 'custody:acct_1', 900],
    ])
      await client.query(
        `with t as (insert into ledger_transactions (provider, livemode, source_key, kind, occurred_at, available_at, currency, charge_id)
          values ('sandbox', false, $1, $1, '2026-11-20T23:30:00Z', '2026-11-22T23:30:00Z', 'usd', 'ch_1') returning id)
        insert into ledger_entries (transaction_id, account_id, provider, livemode, owner_user_id, currency, amount_cents)
        select t.id, a.id, 'sandbox', false, a.owner_user_id, 'usd', case when a.key = $2 then $3::bigint else -$3::bigint end
        from t, ledger_accounts a where a.key in ($2, 'asset:stripe')`,
        [kind, key, cents],
      );
    await client.query('commit');
    expect(await migrate(client, 'db/migrations')).toContain('0108_sums_of_the_books.sql');
    await client.query('begin; set local role app_system');
    const { rows } = await client.query(
      `select to_char(day, 'YYYY-MM-DD') as day, kind, sold, owed_cents::int as owed, held_cents::int as held from ledger_days where owner_user_id = $1 order by kind`,
      [userId],
    );
    await expect(client.query('update ledger_transactions set owed_cents = 0')).rejects.toMatchObject({
      code: '42501',
    });
    await client.query('rollback');
    const day = { day: '2026-11-20', sold: 'album' };
    expect(rows).toEqual([
      { ...day, kind: 'charge', owed: 900, held: 0 },
      { ...day, kind: 'transfer', owed: 0, held: 900 },
    ]);
  });
});
