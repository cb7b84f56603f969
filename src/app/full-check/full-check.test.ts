import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ControlRow } from '#features/admin/buttons-contract.ts';
import { runFullCheck } from '#features/fullcheck/commands.ts';
import type { FullCheck } from '#features/fullcheck/contract.ts';
import { checkByNight, runCheck } from '#features/fullcheck/jobs.ts';
import { startCheck } from '#features/fullcheck/starting.ts';
import { findRunning, listChecks } from '#features/fullcheck/store.ts';
import { writeSetting } from '#features/settings/store.ts';
import { minuteMs } from '#kit/time.ts';
import {
  confirmPerson,
  makeAdministrator,
  must,
  type Person,
  readRow,
  readRows,
  signUpCreator,
} from '../../../tests/support/people.ts';
import { openTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import { cleanUp, runSteps } from './run-steps.ts';

const system = { kind: 'system' } as const;
const operatorEmail = 'operator@example.com';

let app: TestApp;
let ticking: NodeJS.Timeout;
let admin: Person;
const logged: object[] = [];
beforeAll(async () => {
  const note = (about: object) => void logged.push(about);
  app = await openTestApp({ log: { info: () => undefined, warn: () => undefined, error: note } });
  Object.assign(app.engines.installation, { operatorEmail });
  // The check waits for what it looks at: here time goes by as outside.
  let beforeMs = performance.now();
  ticking = setInterval(() => {
    const nowMs = performance.now();
    app.setNow(new Date(app.engines.clock() + nowMs - beforeMs).toISOString());
    beforeMs = nowMs;
  }, 50);
});
afterAll(async () => {
  clearInterval(ticking);
  await app.close();
});

/** Books and what compares them, the provider's own objects and chains that are append-only, what is forgotten within a day, and the run itself. */
const mayGrow: readonly string[] = [
  ...[
    'audit_log',
    'audit_seals',
    'audit_checks',
    'codeword_log',
    'codeword_seals',
    'trace_log',
    'custom_request_events',
  ],
  ...['ledger_accounts', 'ledger_transactions', 'ledger_entries', 'ledger_days', 'provider_calls', 'webhook_inbox'],
  ...['checkout_orders', 'receipts', 'refunds', 'fan_subscriptions', 'custom_requests', 'held_releases', 'buyers'],
  ...['sandbox_objects', 'sandbox_events', 'sandbox_attempts', 'sandbox_idempotency', 'sandbox_keys'],
  ...['rate_limits', 'sign_in_tries', 'full_checks', 'reconciliation_runs'],
];

async function countRows(): Promise<Record<string, number>> {
  const tables = await readRows<{ name: string }>(
    app,
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> 'schema_migrations' order by 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables)
    counts[name] = (await readRow<{ n: number }>(app, `select count(*)::int as n from ${name}`)).n;
  return counts;
}

const newest = async (): Promise<FullCheck | undefined> =>
  (await app.engines.database.work(system, (tx) => listChecks(tx, 1)))[0];
/** Rounds that come by the clock, at any moment of a run. */
const rounds = ['money.payCreators', 'money.settleFans', 'money.reconcile', 'money.refunds', 'privacy.erase'] as const;

/** Runs the rounds over and over. @returns what stops them */
function hurryRounds(): () => void {
  const send = (queue: string) => app.engines.database.work(system, (tx) => app.engines.jobs.runNow(tx, queue));
  const timer = setInterval(() => void Promise.all(rounds.map(send)).catch(() => undefined), 1500);
  return () => clearInterval(timer);
}

const emailsTo = (address: string) => app.emails.filter(({ to }) => to === address);

describe('the full check', { timeout: 900_000 }, () => {
  it('goes through the product, tells the operator of the one step that fails, and leaves nothing behind', async () => {
    // A fault in the product: no text that viewers agree to can be written.
    await app.engines.database.work(system, async ({ client }) => {
      await client.query('reset role');
      await client.query(
        `create function planted_fault() returns trigger language plpgsql as $$ begin raise exception 'planted'; end $$`,
      );
      await client.query(
        'create trigger planted before insert on agreements for each row execute function planted_fault()',
      );
    });
    admin = await signUpCreator(app);
    await makeAdministrator(app, admin);
    const before = await countRows();
    const today = await app.call('adminOperations.today', {}, admin.browser);

    const lines: string[] = [];
    onTestFinished(hurryRounds());
    const checking = runFullCheck(app.engines, (line) => void lines.push(line));
    await expect.poll(async () => (await newest())?.steps.length ?? 0, { timeout: 30_000 }).toBeGreaterThan(0);
    const again = await app.call('fullCheck.start', {}, admin.browser);
    expect(again.body).toMatchObject({ isNew: false, id: (await newest())?.id });
    expect(await checking).toContain('is red');

    expect(process.exitCode).toBe(1);
    process.exitCode = undefined;
    const check = await newest();
    expect(check?.steps.filter(({ state }) => state !== 'passed').map(({ key }) => key)).toEqual(['asking']);
    expect(lines.filter((line) => line.startsWith('FAILED'))).toEqual([expect.stringContaining('agreement')]);
    await expect
      .poll(() => emailsTo(operatorEmail).map(({ subject }) => subject), { timeout: 30_000 })
      .toEqual(['The full check is red']);
    expect(emailsTo(operatorEmail)[0]?.text).toContain('agreement');
    expect(app.emails.filter(({ to }) => to.endsWith('.invalid'))).toEqual([]);

    const after = await countRows();
    const grown = Object.keys(after).filter((table) => after[table] !== before[table]);
    expect(grown.filter((table) => !mayGrow.includes(table))).toEqual(['mail_outbox']);
    expect(
      await readRows(app, `select recipient from mail_outbox where recipient <> $1 and recipient <> $2`, [
        operatorEmail,
        admin.email,
      ]),
    ).toEqual([]);
    expect(await readRows(app, `select email from buyers where email not like '%@erased.invalid'`)).toEqual([]);
    expect(await readRows(app, 'select id from checkout_orders where livemode or creator_id is not null')).toEqual([]);
    const stored: string[] = [];
    for await (const path of app.engines.storage.list('')) stored.push(path);
    expect(stored).toEqual([]);
    const { body } = await app.call('adminOperations.today', {}, admin.browser);
    // The operator was mailed of the step that failed, which is an error in the log as well; the disk is everybody's.
    expect(body.emailsReturned.part).toEqual(today.body.emailsReturned.part);
    const own = { emailsReturned: undefined, disk: undefined };
    expect({ ...body, ...own, waiting: { ...body.waiting, errors: 0 } }).toEqual({
      ...today.body,
      ...own,
      waiting: { ...today.body.waiting, errors: 0 },
    });
  });

  it('is ended early without an alarm, and removes what it has made', async () => {
    const { engines } = app;
    const alarms = emailsTo(operatorEmail).length;
    await engines.database.work(system, (tx) => startCheck(engines, tx, { type: 'system' }));
    const stateOf = async (key: string) => (await newest())?.steps.find((step) => step.key === key)?.state;
    await expect.poll(() => stateOf('photo')).toBe('running');
    await must(app, 'fullCheck.cancel', {}, admin.browser);
    await expect.poll(async () => (await newest())?.result).toBe('cancelled');
    const states = new Set((await newest())?.steps.map(({ state }) => state));
    expect([states.has('failed'), states.has('waiting'), await stateOf('clean_up')]).toEqual([false, true, 'passed']);
    expect(await readRows(app, `select id from users where email like '%@fullcheck.invalid'`)).toEqual([]);
    expect(emailsTo(operatorEmail)).toHaveLength(alarms);
  });

  it('makes a part of it with what that needs, beside nothing else, and keeps it apart from the runs of the whole', async () => {
    const [whole] = (await must(app, 'fullCheck.show', {}, admin.browser)).runs;
    const part = 'payment';
    const shown = async (): Promise<FullCheck | undefined> =>
      (await must(app, 'fullCheck.show', { part }, admin.browser)).runs[0];
    const { id } = await must(app, 'fullCheck.start', { part }, admin.browser);
    expect(await must(app, 'fullCheck.start', { part }, admin.browser)).toEqual({ id, isNew: false });
    expect((await app.call('fullCheck.start', {}, admin.browser)).status).toBe(409);
    await expect(runFullCheck(app.engines, () => undefined)).rejects.toThrow('A part of the check is running');
    await expect.poll(async () => (await shown())?.result, { timeout: 120_000 }).toBe('green');
    const { controls }: { controls: ControlRow[] } = await must(app, 'adminButtons.list', {}, admin.browser);
    const passed = controls.filter(({ passedAt }) => passedAt !== null).flatMap(({ procedures }) => procedures);
    expect(passed, 'what stands behind “Confirm my email”').toContain('accounts.confirm');
    expect((await shown())?.steps.map(({ key, state }) => `${key}: ${state}`)).toEqual(
      ['sign_up', 'set_up', 'album', 'photo', 'connect', 'tip', 'pay', 'subscribe', 'refund', 'clean_up'].map(
        (key) => `${key}: passed`,
      ),
    );
    expect((await must(app, 'fullCheck.show', {}, admin.browser)).runs[0]).toEqual(whole);
    expect(await readRows(app, `select id from users where email like '%@fullcheck.invalid'`)).toEqual([]);
  });

  it('leaves whoever has paid real money under such an address alone, and their receipt', async () => {
    const payer = 'payer@fullcheck.invalid';
    const [buyer] = await readRows(
      app,
      `insert into buyers (id, email, created_at) values (gen_random_uuid(), $1, now()) returning id`,
      [payer],
    );
    const lend = `update checkout_orders set livemode = true, buyer_id = $1 where id = (select min(id::text)::uuid from checkout_orders where not livemode) returning id`;
    const [order] = await readRows(app, lend, [buyer?.id]);
    expect(order).toBeDefined();
    await cleanUp(app.engines, { own: null, isOver: false });
    expect(await readRows(app, 'select email from buyers where id = $1', [buyer?.id])).toEqual([{ email: payer }]);
    await readRows(app, 'update checkout_orders set livemode = false where id = $1', [order?.id]);
    await cleanUp(app.engines, { own: null, isOver: false });
    expect(await readRows(app, 'select 1 from buyers where email = $1', [payer])).toEqual([]);
  });

  it('ends a run whose process has died by night, and erases what that has left', async () => {
    const { engines } = app;
    await engines.database.work(system, (tx) =>
      writeSetting(tx, { key: 'operations.nightlyCheck', value: 0, by: null, now: new Date(engines.clock()) }),
    );
    const email = 'creator.of-a-run-that-died@fullcheck.invalid';
    const { userId } = await confirmPerson(app, email);
    await readRows(app, `insert into full_checks (id, started_at, seen_at) values (gen_random_uuid(), $1, $1)`, [
      new Date(engines.clock() - 5 * minuteMs),
    ]);
    await checkByNight(engines, { runSteps, cleanUp });
    expect(await readRow(app, `select count(*)::int as n from full_checks where result = 'died'`)).toEqual({ n: 1 });
    await expect.poll(() => emailsTo(operatorEmail).at(-1)?.text).toContain('its process ended before it was over');
    expect(await readRows(app, 'select id from users where id = $1', [userId])).toEqual([]);
    expect(await readRows(app, 'select id from full_checks where cleaned_at is null')).toEqual([]);
    expect(await readRows(app, `select id from mail_outbox where recipient = $1`, [email])).toEqual([]);
  });

  it('is ended by its second try when it was cut off in its first, and another one can begin', async () => {
    const { engines } = app;
    await readRows(app, `insert into full_checks (id, started_at, seen_at) values (gen_random_uuid(), $1, $1)`, [
      new Date(engines.clock()),
    ]);
    const running = await engines.database.work(system, findRunning);
    const { id, isNew } = await engines.database.work(system, (tx) => startCheck(engines, tx, { type: 'system' }));
    expect({ id, isNew }).toEqual({ id: running?.id, isNew: false });
    await runCheck(engines, { runSteps, cleanUp }, id, new AbortController().signal);
    expect((await newest())?.result).toBe('died');
    expect(await engines.database.work(system, findRunning)).toBeUndefined();
  });
});
