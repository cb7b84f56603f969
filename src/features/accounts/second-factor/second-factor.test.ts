import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeAt } from '#tests/support/authenticator-codes.ts';
import {
  advance,
  goodPassword,
  listTemplates,
  type Person,
  readRow,
  readRows,
  signUpCreator,
} from '#tests/support/people.ts';
import { type Authenticator, openAuthenticator, setUpSecondFactor } from '#tests/support/second-factor.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runUsers } from '../commands.ts';

let app: TestApp;
let mara: Person;
let phone: Authenticator;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  mara = await signUpCreator(app);
});
afterAll(() => app.close());

const minute = 60_000;
const call = (procedure: string, input: object, from: Browser = mara.browser) =>
  app.call(`secondFactor.${procedure}`, input, from);
const me = async (browser: Browser) => (await app.call('accounts.me', {}, browser)).body;
const password = goodPassword;
const wrongCode = '000000';

describe('setting it up', () => {
  it('asks for the password, and for a first code before anything changes', async () => {
    expect((await call('begin', { password: 'not hers' })).body.data.field).toBe('password');
    expect((await call('turnOn', { code: '123456' })).status, 'nothing was begun').toBe(409);
    const { typed } = (await call('begin', { password })).body;
    expect((await me(mara.browser)).user.hasSecondFactor).toBe(false);
    expect((await app.call('accounts.signIn', { email: mara.email, password }, newBrowser())).body.challenge).toBe(
      undefined,
    );
    expect((await call('turnOn', { code: wrongCode })).body).toMatchObject({
      code: 'VALIDATION',
      data: { field: 'code' },
    });
    const other = newBrowser();
    await app.call('accounts.signIn', { email: mara.email, password }, other);
    const answer = await call('turnOn', { code: codeAt(typed, app.engines.clock()) });
    expect(answer.status).toBe(200);
    expect(new Set(answer.body.backupCodes).size).toBe(10);
    for (const browser of [mara.browser, other]) expect((await me(browser)).user?.hasSecondFactor).toBe(true);
    expect(await listTemplates(app, mara.email)).toContain('second_factor_on');
    expect((await call('begin', { password })).status, 'it is on already').toBe(409);
    phone = openAuthenticator(app, { typed, backupCodes: answer.body.backupCodes });
  });

  it('keeps neither the secret nor a code as it is', async () => {
    const [{ wrapped }, codes] = await Promise.all([
      readRow<{ wrapped: Buffer }>(app, 'select wrapped from second_factors where user_id = $1', [mara.userId]),
      readRows<{ code_hash: Buffer }>(app, 'select code_hash from backup_codes where user_id = $1', [mara.userId]),
    ]);
    expect(wrapped.length).toBe(12 + 25 + 16);
    expect(codes.map(({ code_hash: hash }) => hash.length)).toEqual(Array.from({ length: 10 }, () => 32));
    const log = JSON.stringify(await readRows(app, 'select * from audit_log'));
    for (const secret of [phone.typed, ...phone.backupCodes]) expect(log).not.toContain(secret);
  });

  it('makes new backup codes for password and code, and those of before are dead', async () => {
    const [old = ''] = phone.backupCodes;
    expect((await call('renewBackupCodes', { password: 'not hers', code: phone.next() })).body.data.field).toBe(
      'password',
    );
    expect((await call('renewBackupCodes', { password, code: wrongCode })).body.data.field).toBe('code');
    const { status, body } = await call('renewBackupCodes', { password, code: phone.next() });
    expect(status).toBe(200);
    phone.backupCodes = body.backupCodes;
    expect((await call('enter', { code: old })).status).toBe(422);
    expect((await call('show', {})).body).toMatchObject({ isOn: true, backupCodesLeft: 10 });
    expect(await listTemplates(app, mara.email)).toContain('backup_codes_new');
  });

  it('counts wrong codes of a session together, and makes them wait', async () => {
    for (let n = 0; n < 4; n++) expect((await call('enter', { code: wrongCode })).status).toBe(422);
    expect((await call('enter', { code: phone.next() })).status).toBe(200);
    const many = await Promise.all(Array.from({ length: 20 }, () => call('enter', { code: wrongCode })));
    expect(many.filter(({ status }) => status === 422)).toHaveLength(5);
    expect(many.filter(({ status, body }) => status === 429 && body.data.retryAfter === 15)).toHaveLength(15);
    const { status, body } = await call('enter', { code: phone.next() });
    expect([status, body.data]).toEqual([200, undefined]);
  });

  it('is switched off by password and code, told by email', async () => {
    expect((await call('remove', { password: 'not hers', code: phone.next() })).body.data.field).toBe('password');
    expect((await call('remove', { password, code: wrongCode })).body.data.field).toBe('code');
    expect((await call('remove', { password, code: phone.next() })).status).toBe(200);
    expect((await me(mara.browser)).user.hasSecondFactor).toBe(false);
    expect(await listTemplates(app, mara.email)).toContain('second_factor_off');
    expect(await readRows(app, 'select 1 from second_factors union all select 1 from backup_codes')).toEqual([]);
    const { body } = await app.call('accounts.signIn', { email: mara.email, password }, newBrowser());
    expect(body).not.toHaveProperty('challenge');
    expect((await call('enter', { code: codeAt(phone.typed, app.engines.clock()) })).status).toBe(409);
  });
});

describe('the operator', () => {
  it('takes it away from whoever has lost everything: audited, told, and every device signed out', async () => {
    const { email, browser, userId } = await signUpCreator(app);
    await expect(runUsers(app.engines, { verb: 'second-factor-off', email: email })).rejects.toThrow(
      'has no second factor',
    );
    await setUpSecondFactor(app, browser, password);
    await expect(runUsers(app.engines, { verb: 'second-factor-off', email: 'nobody@example.com' })).rejects.toThrow(
      'No account',
    );
    await expect(runUsers(app.engines, { verb: 'other', email: email })).rejects.toThrow('Say whose');
    expect(await runUsers(app.engines, { verb: 'second-factor-off', email: email.toUpperCase() })).toContain(
      'password alone',
    );
    expect((await me(browser)).user).toBeNull();
    const again = newBrowser();
    expect((await app.call('accounts.signIn', { email, password }, again)).body).toEqual({});
    expect((await me(again)).user.hasSecondFactor).toBe(false);
    expect(await listTemplates(app, email)).toContain('second_factor_taken');
    const noted = await readRows(
      app,
      `select 1 from audit_log where action = 'second_factor.taken_away' and target_id = $1`,
      [userId],
    );
    expect(noted).toHaveLength(1);
  });

  it('says how long a code is fresh', async () => {
    const { browser } = await signUpCreator(app);
    const { next } = await setUpSecondFactor(app, browser, password);
    const until = async () => (await call('show', {}, browser)).body.codeFreshUntil;
    const enteredMs = app.engines.clock();
    expect(Date.parse(await until())).toBe(enteredMs + 10 * minute);
    advance(app, 10 * minute);
    expect(await until()).toBeNull();
    await call('enter', { code: next() }, browser);
    expect(await until()).not.toBeNull();
  });
});
