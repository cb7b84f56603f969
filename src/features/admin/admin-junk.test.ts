import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '#kit/ids.ts';
import { dayMs, hourMs } from '#kit/time.ts';
import { seedPhoto } from '#tests/support/media/pictures.ts';
import { makeAdministrator, must, readRows, signInQuickly, signUpCreator } from '#tests/support/people.ts';
import { type Browser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runJunk } from './commands.ts';
import { cleanPlan, lookForJunk } from './junk/junk.ts';
import { rubbishOf } from './junk/kinds.ts';
import { type JunkKind, type JunkRow, junkKinds } from './junk-contract.ts';

let app: TestApp;
let adminId: string;
let desk: Browser;
const doing = { removeTestPeople: async () => undefined };
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  const admin = await signUpCreator(app, { email: 'admin@example.com' });
  await makeAdministrator(app, admin);
  adminId = admin.userId;
});
afterAll(() => app.close());
beforeEach(async () => {
  for (const table of ['junk_plans', 'uploads', 'email_tokens', 'rate_limits'])
    await readRows(app, `delete from ${table}`);
  desk = await signInQuickly(app, adminId);
});

const rowOf = async (kind: JunkKind): Promise<JunkRow> =>
  (await must(app, 'adminJunk.list', {}, desk)).kinds.find((row: JunkRow) => row.kind === kind);
const planId = async (kind: JunkKind): Promise<string> =>
  String((await readRows(app, 'select id from junk_plans where kind = $1', [kind]))[0]?.id);
/** Asks for a look and has its job run. */
async function look(kind: JunkKind): Promise<NonNullable<JunkRow['plan']>> {
  await must(app, 'adminJunk.look', { kind }, desk);
  await lookForJunk(app.engines, doing, await planId(kind), true);
  const { plan } = await rowOf(kind);
  if (plan === null) throw new Error('no plan');
  return plan;
}
/** Asks for the cleaning of what was found, and has its job run. */
async function clean(kind: JunkKind, hash: string): Promise<NonNullable<JunkRow['plan']>> {
  await must(app, 'adminJunk.clean', { kind, hash }, desk);
  await cleanPlan(app.engines, doing, await planId(kind), true);
  const { plan } = await rowOf(kind);
  if (plan === null) throw new Error('no plan');
  return plan;
}
const moment = (ms: number) => new Date(app.engines.clock() + ms);
async function insertCode(expiresAt: Date): Promise<string> {
  const id = newId(app.engines.clock());
  await readRows(
    app,
    `insert into email_tokens (id, user_id, purpose, token_hash, code_hash, browser_hash, code_expires_at, expires_at, created_at)
     values ($1, $2, 'confirm', $3, '\\x00', '\\x00', $4, $4, $4)`,
    [id, adminId, Buffer.from(id), expiresAt],
  );
  return id;
}
const codesLeft = async () => (await readRows(app, 'select id from email_tokens order by id')).map(({ id }) => id);

it('every kind is counted or looked for, and a look touches nothing', async () => {
  const { kinds } = await must(app, 'adminJunk.list', {}, desk);
  expect(kinds.map(({ kind }: JunkRow) => kind)).toEqual(junkKinds);
  for (const kind of junkKinds) expect((await look(kind)).state).toBe('found');
});

it('what is cleaned is what was listed and is rubbish still: nothing that came later, nothing that is used again', async () => {
  const listed = [await insertCode(moment(-3 * dayMs)), await insertCode(moment(-3 * dayMs))];
  const good = await insertCode(moment(hourMs));
  const plan = await look('codes');
  expect(plan).toMatchObject({ state: 'found', found: 2, listed: 2, samples: listed.toSorted() });
  expect(await codesLeft()).toHaveLength(3);
  await readRows(app, 'update email_tokens set expires_at = $2 where id = $1', [listed[0], moment(hourMs)]);
  const later = await insertCode(moment(-3 * dayMs));
  expect(await clean('codes', plan.hash)).toMatchObject({ state: 'cleaned', done: 2, cleaned: 1 });
  expect(await codesLeft()).toEqual([listed[0], good, later].toSorted());
  const audited = await readRows(
    app,
    `select actor_type, details from audit_log where action like 'junk.clean%' order by id desc limit 2`,
  );
  expect(audited).toEqual([
    { actor_type: 'system', details: { kind: 'codes', state: 'cleaned', listed: 2, cleaned: 1, kept: 1 } },
    { actor_type: 'admin', details: { kind: 'codes', listed: 2, hash: plan.hash } },
  ]);
});

it('a second look says what has changed, and only what was found last can be cleaned', async () => {
  const [first] = [await insertCode(moment(-3 * dayMs)), await insertCode(moment(-3 * dayMs))];
  const before = await look('codes');
  await readRows(app, 'delete from email_tokens where id = $1', [first]);
  for (let n = 0; n < 3; n++) await insertCode(moment(-3 * dayMs));
  const after = await look('codes');
  expect(after).toMatchObject({ found: 4, more: 3, fewer: 1 });
  expect((await app.call('adminJunk.clean', { kind: 'codes', hash: before.hash }, desk)).status).toBe(409);
  app.setNow(moment(25 * hourMs).toISOString());
  desk = await signInQuickly(app, adminId);
  expect((await app.call('adminJunk.clean', { kind: 'codes', hash: after.hash }, desk)).status).toBe(409);
  expect(await codesLeft()).toHaveLength(4);
});

it('a cleaning goes on where it was cut off, ends when it is asked to, and nobody looks meanwhile', async () => {
  for (let n = 0; n < 130; n++) await insertCode(moment(-3 * dayMs));
  const { hash } = await look('codes');
  await must(app, 'adminJunk.clean', { kind: 'codes', hash }, desk);
  expect((await app.call('adminJunk.look', { kind: 'codes' }, desk)).status).toBe(409);
  expect((await app.call('adminJunk.clean', { kind: 'codes', hash }, desk)).status).toBe(409);
  await must(app, 'adminJunk.cancel', { kind: 'codes' }, desk);
  await cleanPlan(app.engines, doing, await planId('codes'), false);
  expect((await rowOf('codes')).plan).toMatchObject({ state: 'cancelled', done: 100, cleaned: 100 });
  expect(await codesLeft()).toHaveLength(30);
  await readRows(app, `update junk_plans set state = 'cleaning', cancelled_at = null`);
  await cleanPlan(app.engines, doing, await planId('codes'), false);
  expect((await rowOf('codes')).plan).toMatchObject({ state: 'cleaned', done: 130, cleaned: 130 });
});

/** An upload that has come so far. */
async function insertUpload(stagedBytes: number, expiresAt: Date): Promise<{ id: string; file: string }> {
  const id = newId(app.engines.clock());
  await readRows(
    app,
    `insert into uploads (id, creator_id, original_name, bytes, expires_at, created_at) values ($1, $2, 'x', 10, $3, $3)`,
    [id, adminId, expiresAt],
  );
  const folder = path.join(app.engines.installation.dataDir, 'staging');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, id);
  writeFileSync(file, 'x'.repeat(stagedBytes));
  return { id, file };
}
const stateOf = async (id: string) => (await readRows(app, 'select state from uploads where id = $1', [id]))[0]?.state;

it('an upload that goes on while it is listed is left alone, and so is one that is whole', async () => {
  const ended = await insertUpload(4, moment(-hourMs));
  const goesOn = await insertUpload(5, moment(-hourMs));
  const whole = await insertUpload(10, moment(-hourMs));
  const plan = await look('uploads');
  expect(plan).toMatchObject({ found: 2, sizeBytes: 9, samples: [ended.id, goesOn.id].toSorted() });
  // Another part comes: the upload lives on.
  await readRows(app, 'update uploads set expires_at = $2 where id = $1', [goesOn.id, moment(hourMs)]);
  expect(await clean('uploads', plan.hash)).toMatchObject({ done: 2, cleaned: 1 });
  expect(await Promise.all([ended, goesOn, whole].map(({ id }) => stateOf(id)))).toEqual(['expired', 'open', 'open']);
  expect([ended, goesOn, whole].map(({ file }) => existsSync(file))).toEqual([false, true, true]);
});

it('files in staging go once their upload has ended for an hour, and none of one that is open', async () => {
  const [old, fresh, open] = [
    await insertUpload(1, moment(hourMs)),
    await insertUpload(2, moment(hourMs)),
    await insertUpload(3, moment(hourMs)),
  ];
  await readRows(app, `update uploads set state = 'complete' where id <> $1`, [open.id]);
  const past = moment(-2 * hourMs);
  for (const { file } of [old, open]) utimesSync(file, past, past);
  utimesSync(fresh.file, moment(0), moment(0));
  const plan = await look('staged_files');
  expect(plan.samples).toContain(old.id);
  expect(plan.samples).not.toContain(fresh.id);
  await clean('staged_files', plan.hash);
  expect([old, fresh, open].map(({ file }) => existsSync(file))).toEqual([false, true, true]);
});

it('a stored file goes that no row names, and none of an upload that is being taken over or of a medium that is made ready', async () => {
  const { storage, clock } = app.engines;
  const { mediaId } = await seedPhoto(app, adminId, { side: 64 });
  const taken = await insertUpload(10, moment(hourMs));
  const paths = {
    lost: `media/${newId(clock())}/lost.pfo`,
    taken: `media/${taken.id}/coming.pfo`,
    ready: `media/${mediaId}/coming.pfp`,
  };
  for (const name of Object.values(paths)) await storage.put(name, Buffer.from('x'));
  await readRows(app, `update media set state = 'processing' where id = $1`, [mediaId]);
  const named = (await readRows(app, 'select path from packs where media_id = $1', [mediaId])).map((row) =>
    String(row.path),
  );
  expect(named.length).toBeGreaterThan(0);
  const plan = await look('lost_files');
  expect(plan.samples).toEqual([paths.lost]);
  expect(plan, 'there was no look before').toMatchObject({ found: 1, more: 0, fewer: 0 });
  expect(await clean('lost_files', plan.hash)).toMatchObject({ cleaned: 1 });
  const left = [];
  for await (const name of storage.list('media/')) left.push(name);
  expect(left).not.toContain(paths.lost);
  expect(left).toEqual(expect.arrayContaining([paths.taken, paths.ready, ...named]));
  // A row whose file is gone is shown, and stays as it is.
  await storage.remove(named[0] ?? '');
  const missing = await look('missing_files');
  expect(missing.samples).toEqual([named[0]]);
  expect((await app.call('adminJunk.clean', { kind: 'missing_files', hash: missing.hash }, desk)).status).toBe(409);
});

it('an account that is confirmed while it is listed stays', async () => {
  const [never, confirmed] = [
    await signUpCreator(app, { email: 'never@example.com' }),
    await signUpCreator(app, { email: 'late@example.com' }),
  ];
  await readRows(
    app,
    `update users set email_verified = false, created_at = $1 where email in ('never@example.com', 'late@example.com')`,
    [moment(-8 * dayMs)],
  );
  const plan = await look('unconfirmed_accounts');
  expect(plan.samples).toEqual([never.userId, confirmed.userId].toSorted());
  await readRows(app, 'update users set email_verified = true where id = $1', [confirmed.userId]);
  expect(await clean('unconfirmed_accounts', plan.hash)).toMatchObject({ done: 2, cleaned: 1 });
  expect(await readRows(app, `select id from users where id in ($1, $2)`, [never.userId, confirmed.userId])).toEqual([
    { id: confirmed.userId },
  ]);
});

it('jobs that were laid aside go two weeks later, and no other', async () => {
  await readRows(
    app,
    `insert into pgboss.job (id, name, data, created_on) values
     (gen_random_uuid(), 'dead', '{}', now() - interval '15 days'), (gen_random_uuid(), 'dead', '{}', now() - interval '13 days')`,
  );
  const plan = await look('dead_jobs');
  expect(plan.found).toBe(1);
  expect(await clean('dead_jobs', plan.hash)).toMatchObject({ cleaned: 1 });
  expect(await readRows(app, `select from pgboss.job where name = 'dead'`)).toHaveLength(1);
});

it('what full checks have left is removed run by run', async () => {
  const asked: string[][] = [];
  const [mine, later] = [newId(app.engines.clock()), newId(app.engines.clock())];
  const insert = (id: string) =>
    readRows(app, `insert into full_checks (id, started_at, ended_at, result) values ($1, now(), now(), 'red')`, [id]);
  await insert(mine);
  const { test_people: people } = rubbishOf({
    removeTestPeople: async (_, ids) => {
      asked.push([...ids]);
      await readRows(app, 'update full_checks set cleaned_at = now() where id = any($1)', [ids]);
    },
  });
  const { ids } = await people.look(app.engines);
  await insert(later);
  expect(await people.clean?.(app.engines, ids)).toBe(1);
  expect(asked).toEqual([[mine]]);
});

it('a look that fails for good says so, and can be made again', async () => {
  await must(app, 'adminJunk.look', { kind: 'lost_files' }, desk);
  const away = {
    ...app.engines,
    storage: {
      ...app.engines.storage,
      list: () => {
        throw new Error('gone');
      },
    },
  };
  await expect(lookForJunk(away, doing, await planId('lost_files'), true)).rejects.toThrow('gone');
  expect((await rowOf('lost_files')).plan?.state).toBe('failed');
  expect((await look('lost_files')).state).toBe('found');
});

it('pf counts, looks and cleans by the same functions', async () => {
  await insertCode(moment(-3 * dayMs));
  const run = (...args: string[]) => runJunk(app.engines, doing, args);
  expect(await run()).toMatch(/^codes +1 /m);
  expect(await run('look', 'codes')).toMatch(/^codes .*found 1/);
  expect(await codesLeft()).toHaveLength(1);
  expect(await run('clean', 'codes')).toMatch(/1 cleaned, 0 kept/);
  expect(await codesLeft()).toEqual([]);
  expect(await run('clean', 'codes')).toBe('There is nothing to clean.');
  await expect(run('clean', 'everything')).rejects.toThrow('A kind is one of uploads, ');
});
