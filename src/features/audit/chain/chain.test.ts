import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeAudit, describeAuditCheck } from '#features/audit/commands.ts';
import { forgetOldAudit } from '#features/privacy/retention/retaining.ts';
import { makeAdministrator, readRows, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { checkAudit, sealAudit } from './sealing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

const write = (action: string, at = 'now()') =>
  readRows<{ id: number }>(
    app,
    `insert into audit_log (at, actor_type, action) values (${at}, 'system', $1) returning id`,
    [action],
  );
/** What only whoever owns the tables can do, and not by a statement alone: the log refuses it to everybody. */
async function forge(table: 'audit_log' | 'audit_seals', text: string, values: unknown[] = []): Promise<void> {
  const owner = new pg.Client(app.engines.database.connection as pg.ClientConfig);
  await owner.connect();
  const open = `alter table ${table} disable trigger append_only; alter table ${table} no force row level security`;
  const shut = `alter table ${table} enable trigger append_only; alter table ${table} force row level security`;
  try {
    await owner.query(open);
    expect((await owner.query(text, values)).rowCount).toBe(1);
    await owner.query(shut);
  } finally {
    await owner.end();
  }
}
/** @returns a number of the log that nothing has: its transaction was rolled back */
async function leaveGap(): Promise<number> {
  let id = 0;
  const rolledBack = app.engines.database.work({ kind: 'system' }, async ({ client }) => {
    const insert = `insert into audit_log (at, actor_type, action) values (now(), 'system', 'test.gap') returning id`;
    id = (await client.query<{ id: number }>(insert)).rows[0]?.id ?? 0;
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow('rolled back');
  return id;
}
const faultOf = async () => (await checkAudit(app.engines)).fault;
const seals = () =>
  readRows<{ n: number; entries: number; month: string }>(app, 'select n, entries, month from audit_seals order by n');
const twoYearsAgo = `date_trunc('month', now() at time zone 'utc') at time zone 'utc' - interval '30 months'`;

describe('the chain over the audit log', () => {
  it('is over every entry once, month by month, and whole', async () => {
    await write('test.old', twoYearsAgo);
    await write('test.one');
    const count = await sealAudit(app.engines);
    expect(count).toBeGreaterThanOrEqual(2);
    expect(await sealAudit(app.engines)).toBe(0);
    const all = await seals();
    expect(all.map(({ n }) => n)).toEqual(all.map((_, at) => at + 1));
    expect(new Set(all.map(({ month }) => month)).size).toBeGreaterThan(1);
    expect(await checkAudit(app.engines)).toMatchObject({ seals: all.length, entries: count, fault: null });
  });

  it('takes in an entry whose transaction ended after later ones were sealed', async () => {
    await app.engines.database.work({ kind: 'system' }, async ({ client }) => {
      await client.query(`insert into audit_log (at, actor_type, action) values (now(), 'system', 'test.late')`);
      await write('test.early');
      await sealAudit(app.engines);
    });
    expect(await sealAudit(app.engines)).toBe(1);
    expect((await checkAudit(app.engines)).fault).toBeNull();
  });

  it('is sealed once when several processes do it', async () => {
    await write('test.shared');
    const before = (await seals()).length;
    await Promise.all([1, 2, 3].map(() => sealAudit(app.engines)));
    expect(await seals()).toHaveLength(before + 1);
  });
});

describe('an audit log that was forged', () => {
  let old: number;
  beforeAll(async () => {
    old = (await write('test.forged'))[0]?.id ?? 0;
    await write('test.after');
    expect(await faultOf()).toBeNull();
  });

  it('is found by one old entry that was changed, and is well again with what it was', async () => {
    await forge('audit_log', `update audit_log set details = '{"is": "forged"}' where id = $1`, [old]);
    expect(await faultOf()).toMatch(/^An entry under seal \d+ .* was changed\.$/);
    const said = await readRows(app, `select severity from error_logs where component = 'audit.check'`);
    expect(said).toEqual([{ severity: 'critical' }]);
    await forge('audit_log', `update audit_log set details = '{}' where id = $1`, [old]);
    expect(await faultOf()).toBeNull();
  });

  it('is found by an entry that was taken out, and by one that was put between', async () => {
    const gap = await leaveGap();
    const many = `insert into audit_log (at, actor_type, action) select now(), 'system', 'test.many' from generate_series(1, 10100)`;
    await readRows(app, many);
    expect(await faultOf()).toBeNull();
    const insert = `insert into audit_log (id, at, actor_type, action) overriding system value
      values ($1, now() - interval '2 hours', 'system', 'test.stray')`;
    await forge('audit_log', insert, [gap]);
    expect(await faultOf()).toMatch(/^1 entries among the sealed ones are under no seal/);
    await forge('audit_log', 'delete from audit_log where id = $1', [gap]);
    expect(await faultOf()).toBeNull();
    await forge('audit_log', 'delete from audit_log where id = $1', [old]);
    expect(await faultOf()).toMatch(/^Of the \d+ entries under seal \d+ .*, 1 are missing\.$/);
    const again = `insert into audit_log (id, at, actor_type, action) overriding system value
      select $1, at, actor_type, action from audit_log where action = 'test.after'`;
    await forge('audit_log', again, [old]);
    expect(await faultOf(), 'it is not the same entry').toMatch(/was changed/);
  });

  it('is found by an end that was cut off, also when it has grown again', async () => {
    const whole = await openTestApp({ workJobs: false });
    const other = app;
    app = whole;
    try {
      await write('test.begin');
      expect(await faultOf()).toBeNull();
      await write('test.end');
      expect(await faultOf()).toBeNull();
      const newest = (await seals()).at(-1);
      await forge('audit_log', `delete from audit_log where action = 'test.end'`);
      await forge('audit_seals', 'delete from audit_seals where n = $1', [newest?.n]);
      expect(await faultOf()).toMatch(/^An earlier check has seen \d+ seals: the last of them are missing\.$/);
      await write('test.instead');
      expect(await faultOf()).toBe(`Seal ${newest?.n} is not the one that an earlier check has seen.`);
    } finally {
      app = other;
      await whole.close();
    }
  });

  it('is found by a seal that was made again, or is missing', async () => {
    const [{ n } = { n: 0 }] = await seals();
    await forge('audit_seals', `update audit_seals set rows_hash = sha256('') where n = $1`, [n]);
    expect(await faultOf()).toBe(`Seal ${n} was changed, or does not follow the one before it.`);
    await forge('audit_seals', 'delete from audit_seals where n = $1', [n]);
    expect(await faultOf()).toBe(`Seal ${n} is missing.`);
  });
});

describe('months that are forgotten', () => {
  it('take nothing from the chain', async () => {
    const other = await openTestApp({ workJobs: false });
    try {
      const put = (action: string, at: string) =>
        readRows(other, `insert into audit_log (at, actor_type, action) values (${at}, 'system', $1)`, [action]);
      for (const action of ['test.a', 'test.b']) await put(action, twoYearsAgo);
      await put('test.c', 'now()');
      const whole = await checkAudit(other.engines);
      expect(whole.fault).toBeNull();
      await forgetOldAudit(other.engines);
      const rest = await checkAudit(other.engines);
      expect(rest).toMatchObject({ fault: null, entries: whole.entries - 2, seals: whole.seals });
    } finally {
      await other.close();
    }
  });
});

describe('the audit log on the desk', () => {
  it('is searched, exported and checked by an owner', async () => {
    const other = await openTestApp();
    try {
      const owner = await signUpCreator(other);
      const ana = await signUpCreator(other);
      await makeAdministrator(other, owner);
      const { browser } = owner;
      const find = async (search: object) => (await other.call('adminAudit.find', search, browser)).body;
      const byAna = await find({ id: ana.userId });
      expect(byAna.entries.length).toBeGreaterThan(0);
      for (const { actorId, targetId } of byAna.entries) expect([actorId, targetId]).toContain(ana.userId);
      expect((await find({ action: 'nothing.' })).entries).toEqual([]);
      expect((await find({ actor: 'admin', to: '2001-01-01' })).entries).toEqual([]);
      const [first, second] = (await find({})).entries;
      expect((await find({ before: first.id })).entries[0]).toEqual(second);
      const { csv, entries, isCut } = (await other.call('adminAudit.export', { id: ana.userId }, browser)).body;
      expect([entries, isCut]).toEqual([byAna.entries.length, false]);
      expect(csv.split('\r\n')).toHaveLength(entries + 2);
      expect((await find({ action: 'audit.exported' })).entries).toMatchObject([
        { actor: 'admin', actorId: owner.userId, details: { entries } },
      ]);
      expect((await other.call('adminAudit.check', {}, browser)).status).toBe(200);
      const last = async () => (await other.call('adminAudit.checks', {}, browser)).body.checks[0];
      await expect.poll(last, { interval: 100 }).toMatchObject({ fault: null, endedAt: expect.anything() });
      expect(await describeAudit(other.engines, { id: ana.userId })).toContain(ana.userId);
      expect(await describeAuditCheck(other.engines)).toMatch(/^The audit log is as it was written: \d+ entries/);
    } finally {
      await other.close();
    }
  });
});
