import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import type { ErasedKind } from './erasing-rows.ts';
import { peopleTables } from './people-tables.ts';
import { tablesWithoutPeople } from './viewer-tables.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

const listTables = async () =>
  (
    await readRows<{ name: string }>(
      app,
      `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`,
    )
  ).map(({ name }) => name);

/** Columns that lead to somebody, of tables of the schema: by their foreign keys, and by what they are called. */
const listLeads = () =>
  readRows<{ table: string; column: string; kind: ErasedKind }>(
    app,
    `select a.attrelid::regclass::text as table, a.attname as column,
  case coalesce(f.confrelid::regclass::text, '') when 'users' then 'creator' when 'viewers' then 'viewer' when 'buyers' then 'buyer'
    else case a.attname when 'viewer_id' then 'viewer' when 'email' then 'address' when 'requester_email' then 'address' else 'creator' end end as kind
from pg_attribute a join pg_class c on c.oid = a.attrelid and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
left join pg_constraint f on f.conrelid = a.attrelid and f.contype = 'f' and f.conkey = array[a.attnum] and f.confrelid::regclass::text in ('users', 'viewers', 'buyers')
where a.attnum > 0 and not a.attisdropped
  and (f.oid is not null or a.attname in ('user_id', 'creator_id', 'owner_user_id', 'viewer_id', 'email'))
order by 1, 2`,
  );

/** Ways that lead to a row which another way erases already, or to no person of that kind. */
const covered: Readonly<Record<string, string>> = {
  'junk_plans.asked_by': 'an administrator, by an id that goes with their account',
  'paused_queues.paused_by': 'an administrator, by an id that goes with their account',
  'account_notes.admin_id': 'an administrator, by an id that goes with their account',
  'break_glasses.admin_id': 'an administrator, by an id that goes with their account',
  'affiliates.decided_by': 'an administrator, by an id without a name once their account is gone',
  'album_access_grants.granted_by': 'its creator, who is found by user_id',
  'album_access_requests.reviewed_by': 'its creator, who is found by user_id',
  'full_checks.started_by': 'an administrator, by an id that goes with their account',
  'full_checks.creator_id': 'an account that the check has made itself',
  'grants.user_id': 'an owner, who is its creator as well',
  'join_claims.user_id': 'who took an invitation: the place stays taken until its link is forgotten',
  'viewers.merged_into': 'another row of the same person',
  'viewers.email': 'found by the viewer, whose row is emptied',
  'gate_passes.email': 'found by the viewer',
  'buyers.email': 'found by the buyer, whose row is emptied',
  'users.email': 'emptied with the account',
  'account_deletions.email': 'emptied with its own end',
  'plan_checkouts.email': 'found by the account',
  'reports.email': 'whoever reports is told what came of it; kept for 2 years after the decision',
};

describe('what is kept of people', () => {
  it('is listed for every table of the schema, and for none that is not there', async () => {
    expect(new Set([...Object.keys(peopleTables), ...tablesWithoutPeople])).toEqual(new Set(await listTables()));
  });

  it('is erased by every column that leads to somebody, or says why not', async () => {
    const missing = (await listLeads())
      .filter(({ table, column, kind }) => peopleTables[table]?.[kind]?.column !== column)
      .map(({ table, column }) => `${table}.${column}`);
    expect(missing.toSorted()).toEqual(Object.keys(covered).toSorted());
  });

  it('names columns that are there', async () => {
    const rows = await readRows<{ name: string }>(
      app,
      `select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`,
    );
    const known = new Set(rows.map(({ name }) => name));
    const named = Object.entries(peopleTables).flatMap(([table, { creator, viewer, buyer, address }]) =>
      [creator, viewer, buyer, address].flatMap((one) =>
        one === undefined ? [] : [one.column, ...Object.keys(one.set ?? {})].map((column) => `${table}.${column}`),
      ),
    );
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('is ended by a job that there is', () => {
    const sources = readdirSync('src/features', { recursive: true })
      .map(String)
      .filter((name) => /jobs\.ts$/.test(name))
      .map((name) => readFileSync(path.join('src/features', name), 'utf8'))
      .join('\n');
    const queues = new Set([...sources.matchAll(/every\([^,]+,\s*'([\w.]+)'/g)].map(([, queue]) => queue));
    queues.add('media.destroy');
    const named = new Set(Object.values(peopleTables).map(({ endedBy }) => endedBy));
    expect([...named].filter((queue) => queue !== 'account' && queue !== 'thing' && !queues.has(queue))).toEqual([]);
  });
});
