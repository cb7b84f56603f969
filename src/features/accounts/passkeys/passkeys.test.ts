import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPasskey, askToSignIn, openPasskey, type TestPasskey, type Way } from '#tests/support/passkeys.ts';
import {
  advance,
  goodPassword,
  listTemplates,
  must,
  type Person,
  readRow,
  readRows,
  signUpCreator,
} from '#tests/support/people.ts';
import { setUpSecondFactor } from '#tests/support/second-factor.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runUsers } from '../commands.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

const minute = 60_000;
const password = goodPassword;
const call = (procedure: string, input: object, from: Browser) => app.call(`passkeys.${procedure}`, input, from);
const me = async (browser: Browser) => (await app.call('accounts.me', {}, browser)).body.user;
const list = async (browser: Browser) => (await must(app, 'passkeys.list', {}, browser)).passkeys;

async function withPasskey(): Promise<{ mara: Person; passkey: TestPasskey; backupCodes: string[] }> {
  const mara = await signUpCreator(app);
  return { mara, ...(await addPasskey(app, mara.browser, password)) };
}

async function signIn(passkey: TestPasskey, from: Browser, way: Way = {}) {
  const credential = passkey.get(await askToSignIn(app, from), way);
  return call('signIn', { credential }, from);
}

describe('a passkey', () => {
  it('is added by the password, told by email and listed with its last use', async () => {
    const mara = await signUpCreator(app);
    expect((await call('begin', { password: 'not hers' }, mara.browser)).body.data.field).toBe('password');
    const { passkey } = await addPasskey(app, mara.browser, password);
    expect(await listTemplates(app, mara.email)).toContain('passkey_added');
    const [row] = await list(mara.browser);
    expect(row).toMatchObject({ lastUsedAt: null });
    expect((await signIn(passkey, newBrowser())).status).toBe(200);
    const usedMs = app.engines.clock();
    expect(Date.parse((await list(mara.browser))[0].lastUsedAt)).toBe(usedMs);
    expect((await me(mara.browser)).hasSecondFactor).toBe(true);
  });

  it('takes a fresh code where there is a second factor already, and brings no codes then', async () => {
    const mara = await signUpCreator(app);
    const phone = await setUpSecondFactor(app, mara.browser, password);
    advance(app, 10 * minute);
    expect((await call('begin', { password }, mara.browser)).body.code).toBe('CODE_REQUIRED');
    await must(app, 'secondFactor.enter', { code: phone.next() }, mara.browser);
    expect((await addPasskey(app, mara.browser, password)).backupCodes).toEqual([]);
    expect((await withPasskey()).backupCodes).toHaveLength(10);
  });

  it('is named and removed by its owner alone, by password and fresh code', async () => {
    const { mara, passkey } = await withPasskey();
    const bob = await signUpCreator(app);
    const [{ id: passkeyId }] = await list(mara.browser);
    const rename = { passkeyId, name: 'My phone' };
    expect((await call('rename', rename, bob.browser)).status).toBe(404);
    expect((await call('rename', rename, mara.browser)).status).toBe(200);
    expect((await list(mara.browser))[0].name).toBe('My phone');
    expect((await call('remove', { passkeyId, password }, bob.browser)).status).toBe(404);
    advance(app, 10 * minute);
    expect((await call('remove', { passkeyId, password }, mara.browser)).body.code).toBe('CODE_REQUIRED');
    const { challenge } = await must(app, 'passkeys.beginEnter', {}, mara.browser);
    await must(app, 'passkeys.enter', { credential: passkey.get(challenge) }, mara.browser);
    expect((await call('remove', { passkeyId, password: 'not hers' }, mara.browser)).body.data.field).toBe('password');
    expect((await call('remove', { passkeyId, password }, mara.browser)).status).toBe(200);
    expect(await list(mara.browser)).toEqual([]);
    expect(await listTemplates(app, mara.email)).toContain('passkey_removed');
    expect((await signIn(passkey, newBrowser())).status).toBe(410);
  });

  it('is made for this session, and for no account twice', async () => {
    const [mara, bob] = [await signUpCreator(app), await signUpCreator(app)];
    const passkey = openPasskey(app);
    const { challenge } = await must(app, 'passkeys.begin', { password }, mara.browser);
    const credential = passkey.create(challenge);
    expect((await call('add', { credential }, bob.browser)).status, 'of another account').toBe(410);
    for (const way of [{ origin: 'https://evil.test' }, { rpId: 'evil.test' }, { isVerified: false }])
      expect((await call('add', { credential: passkey.create(challenge, way) }, mara.browser)).status).toBe(410);
    expect(await list(mara.browser)).toEqual([]);
    const many = await Promise.all([1, 2].map(() => call('add', { credential }, mara.browser)));
    expect(many.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const begun = await must(app, 'passkeys.begin', { password }, bob.browser);
    expect((await call('add', { credential: passkey.create(begun.challenge) }, bob.browser)).status).toBe(409);
  });
});

describe('signing in by a passkey', () => {
  it('takes neither a password nor a code, and counts as one entered just now', async () => {
    const { mara, passkey } = await withPasskey();
    const browser = newBrowser();
    expect((await signIn(passkey, browser)).status).toBe(200);
    expect((await me(browser)).email).toBe(mara.email);
    expect((await must(app, 'secondFactor.show', {}, browser)).codeFreshUntil).not.toBeNull();
    expect((await call('begin', { password }, browser)).status).toBe(200);
    const stranger = newBrowser({ 'user-agent': 'Mozilla/5.0 (iPhone) Version/18.0 Mobile Safari/604.1' });
    expect((await signIn(passkey, stranger)).status).toBe(200);
    expect(await listTemplates(app, mara.email)).toContain('new_device');
  });

  it('takes an answer once, and two at the same moment are one', async () => {
    const { passkey } = await withPasskey();
    const credential = passkey.get(await askToSignIn(app, newBrowser()));
    const answers = await Promise.all([1, 2, 3].map(() => call('signIn', { credential }, newBrowser())));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410, 410]);
  });

  it('takes no answer for another site, without its person, of another key or to what we never asked', async () => {
    const { passkey } = await withPasskey();
    for (const way of [{ origin: 'https://evil.test' }, { rpId: 'evil.test' }, { isVerified: false }])
      expect((await signIn(passkey, newBrowser(), way)).status).toBe(410);
    const other = openPasskey(app);
    expect((await signIn(other, newBrowser())).status, 'nobody’s').toBe(410);
    const challenge = await askToSignIn(app, newBrowser());
    const forged = { ...other.get(challenge), id: passkey.id };
    expect((await call('signIn', { credential: forged }, newBrowser())).status, 'another key').toBe(410);
    const made = Buffer.from(challenge, 'base64url');
    made.writeUInt8(made.readUInt8(0) ^ 1, 0);
    const unasked = passkey.get(made.toString('base64url'));
    expect((await call('signIn', { credential: unasked }, newBrowser())).status, 'not ours').toBe(410);
    const { mara } = await withPasskey();
    const { challenge: adding } = await must(app, 'passkeys.begin', { password }, mara.browser);
    expect((await call('signIn', { credential: passkey.get(adding) }, newBrowser())).status, 'for adding').toBe(410);
    expect((await signIn(passkey, newBrowser())).status).toBe(200);
  });

  it('asks within ten minutes, to the instant', async () => {
    const { passkey } = await withPasskey();
    const late = passkey.get(await askToSignIn(app, newBrowser()));
    advance(app, 10 * minute);
    expect((await call('signIn', { credential: late }, newBrowser())).status).toBe(410);
    const inTime = passkey.get(await askToSignIn(app, newBrowser()));
    advance(app, 10 * minute - 1);
    expect((await call('signIn', { credential: inTime }, newBrowser())).status).toBe(200);
  });

  it('holds no place with us for whoever asks and never answers', async () => {
    const count = async () => (await readRow<{ n: number }>(app, 'select count(*)::integer as n from passkeys')).n;
    const before = await count();
    for (let n = 0; n < 20; n++) await askToSignIn(app, newBrowser());
    expect(await count()).toBe(before);
    expect(await readRows(app, 'select 1 from auth_verifications')).toEqual([]);
  });
});

describe('a passkey as the second factor', () => {
  it('is asked for after the password; a backup code stands in for it', async () => {
    const { mara, passkey, backupCodes } = await withPasskey();
    const browser = newBrowser();
    const signInBy = { email: mara.email, password };
    const { challenge, isPasskeyOnly } = await must(app, 'accounts.signIn', signInBy, browser);
    expect([typeof challenge, isPasskeyOnly]).toEqual(['string', true]);
    expect(await me(browser)).toBeNull();
    expect((await signIn(passkey, browser)).status).toBe(200);
    const again = newBrowser();
    const second = await must(app, 'accounts.signIn', signInBy, again);
    const code = { challenge: second.challenge, code: backupCodes[0] };
    expect((await app.call('secondFactor.signIn', code, again)).status).toBe(200);
    expect((await me(again)).email).toBe(mara.email);
  });

  it('makes new backup codes once it was entered', async () => {
    const { mara, passkey, backupCodes } = await withPasskey();
    const bob = await withPasskey();
    advance(app, 10 * minute);
    const renew = () => app.call('secondFactor.renewBackupCodes', { password }, mara.browser);
    expect((await renew()).body.code).toBe('CODE_REQUIRED');
    const { challenge } = await must(app, 'passkeys.beginEnter', {}, mara.browser);
    const foreign = { credential: bob.passkey.get(challenge) };
    expect((await call('enter', foreign, mara.browser)).status, 'of another account').toBe(410);
    await must(app, 'passkeys.enter', { credential: passkey.get(challenge) }, mara.browser);
    const { body } = await renew();
    expect(body.backupCodes).toHaveLength(10);
    expect(body.backupCodes).not.toContain(backupCodes[0]);
  });

  it('stays when the app is switched off, and nothing is asked for once the last one is gone', async () => {
    const { mara, passkey } = await withPasskey();
    const phone = await setUpSecondFactor(app, mara.browser, password);
    await must(app, 'secondFactor.remove', { password, code: phone.next() }, mara.browser);
    const asked = () => app.call('accounts.signIn', { email: mara.email, password }, newBrowser());
    expect((await asked()).body.isPasskeyOnly).toBe(true);
    advance(app, 1);
    const { challenge } = await must(app, 'passkeys.beginEnter', {}, mara.browser);
    await must(app, 'passkeys.enter', { credential: passkey.get(challenge) }, mara.browser);
    const [{ id: passkeyId }] = await list(mara.browser);
    await must(app, 'passkeys.remove', { passkeyId, password }, mara.browser);
    expect((await asked()).body).not.toHaveProperty('challenge');
    expect((await me(mara.browser)).hasSecondFactor).toBe(false);
    expect(await readRows(app, 'select 1 from backup_codes where user_id = $1', [mara.userId])).toEqual([]);
  });

  it('goes with everything else when the operator takes the second factor away', async () => {
    const { mara, passkey } = await withPasskey();
    await runUsers(app.engines, { verb: 'second-factor-off', email: mara.email });
    expect((await signIn(passkey, newBrowser())).status).toBe(410);
    expect((await app.call('accounts.signIn', { email: mara.email, password }, newBrowser())).body).toEqual({});
  });
});
