import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPasskey } from '#tests/support/passkeys.ts';
import {
  advance,
  confirmPerson,
  goodPassword,
  listTemplates,
  must,
  type Person,
  readEmail,
  readRows,
  signUpCreator,
} from '#tests/support/people.ts';
import { setUpSecondFactor } from '#tests/support/second-factor.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { closeAccount } from '../closing-store.ts';
import { changeSuspension } from '../suspending.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

const minute = 60_000;
const day = 24 * 60 * minute;
const password = goodPassword;
let addresses = 0;
const newAddress = () => `moved-${++addresses}@example.com`;
const call = (procedure: string, input: object, from: Browser) => app.call(`emailChange.${procedure}`, input, from);
const me = async (browser: Browser) => (await app.call('accounts.me', {}, browser)).body.user;
const signIn = (email: string, from = newBrowser()) => app.call('accounts.signIn', { email, password }, from);
const undo = (token: string) => call('undo', { token }, newBrowser());

async function begin({ browser }: Person, email: string): Promise<void> {
  expect((await call('begin', { email, password }, browser)).status).toBe(200);
}

/** Somebody who has another address by now. @returns the secret of the link that undoes it */
async function moved(person?: Person): Promise<{ mara: Person; to: string; token: string }> {
  const mara = person ?? (await signUpCreator(app));
  const to = newAddress();
  // The emails of before are older.
  advance(app, minute);
  await begin(mara, to);
  const { code } = await readEmail(app, to);
  expect((await call('confirm', { code }, mara.browser)).status).toBe(200);
  const { token, template } = await readEmail(app, mara.email);
  expect(template).toBe('email_changed');
  return { mara, to, token };
}

const actionsOf = async (userId: string) =>
  (
    await readRows<{ action: string }>(
      app,
      `select action from audit_log where (actor_id = $1 or target_id = $1) and action like 'email.%' order by at`,
      [userId],
    )
  ).map(({ action }) => action);

describe('another address', () => {
  it('takes the password and a code from there; then it signs in, and the old one does not', async () => {
    const mara = await signUpCreator(app);
    const to = newAddress();
    const wrong = await call('begin', { email: to, password: 'not hers' }, mara.browser);
    expect(wrong.body.data.field).toBe('password');
    const same = await call('begin', { email: mara.email.toUpperCase(), password }, mara.browser);
    expect(same.body.data.field).toBe('email');
    await begin(mara, to);
    expect((await call('show', {}, mara.browser)).body).toEqual({ pendingEmail: to, undoExpiresAt: null });
    expect((await me(mara.browser)).email, 'nothing changes before the code').toBe(mara.email);
    const { code, template } = await readEmail(app, to);
    expect(template).toBe('email_change_code');
    const asked = newBrowser();
    advance(app, minute);
    await must(app, 'accounts.askForPassword', { email: mara.email }, asked);
    const old = await readEmail(app, mara.email);
    expect((await call('confirm', { code }, mara.browser)).status).toBe(200);
    expect((await me(mara.browser)).email).toBe(to);
    expect((await signIn(mara.email)).status).toBe(401);
    expect((await signIn(to)).status).toBe(200);
    expect(await listTemplates(app, mara.email)).toContain('email_changed');
    expect(await listTemplates(app, to)).toContain('email_change_done');
    const reset = { proof: { code: old.code }, password: 'four quiet green hills' };
    expect((await app.call('accounts.setPassword', reset, asked)).status, 'mailed to the old one').not.toBe(200);
    expect(await actionsOf(mara.userId)).toEqual(['email.change_asked', 'email.changed']);
  });

  it('takes a fresh code of the second factor where there is one', async () => {
    const mara = await signUpCreator(app);
    const phone = await setUpSecondFactor(app, mara.browser, password);
    advance(app, 10 * minute);
    const input = { email: newAddress(), password };
    expect((await call('begin', input, mara.browser)).body.code).toBe('CODE_REQUIRED');
    await must(app, 'secondFactor.enter', { code: phone.next() }, mara.browser);
    expect((await call('begin', input, mara.browser)).status).toBe(200);
  });

  it('takes five wrong codes and no sixth, also at once, and the code of nobody else', async () => {
    const [mara, bob] = [await signUpCreator(app), await signUpCreator(app)];
    const to = newAddress();
    await begin(mara, to);
    const { code } = await readEmail(app, to);
    expect((await call('confirm', { code }, bob.browser)).status, 'nothing of bob waits').toBe(410);
    const wrong = code === '000000' ? '000001' : '000000';
    const many = await Promise.all(Array.from({ length: 12 }, () => call('confirm', { code: wrong }, mara.browser)));
    expect(many.filter(({ status }) => status === 422)).toHaveLength(5);
    expect(many.filter(({ status }) => status === 410)).toHaveLength(7);
    expect((await call('confirm', { code }, mara.browser)).status).toBe(410);
    advance(app, minute);
    expect((await call('resend', {}, mara.browser)).status).toBe(200);
    expect((await call('confirm', { code: (await readEmail(app, to)).code }, mara.browser)).status).toBe(200);
  });

  it('is the one that was asked for last', async () => {
    const mara = await signUpCreator(app);
    const [first, second] = [newAddress(), newAddress()];
    await begin(mara, first);
    await begin(mara, second);
    expect((await call('confirm', { code: (await readEmail(app, first)).code }, mara.browser)).status).toBe(422);
    expect((await call('confirm', { code: (await readEmail(app, second)).code }, mara.browser)).status).toBe(200);
    expect((await me(mara.browser)).email).toBe(second);
  });

  it('comes once when its code comes twice at the same moment', async () => {
    const mara = await signUpCreator(app);
    const to = newAddress();
    await begin(mara, to);
    const { code } = await readEmail(app, to);
    const answers = await Promise.all([1, 2, 3].map(() => call('confirm', { code }, mara.browser)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410, 410]);
    expect((await listTemplates(app, mara.email)).filter((name) => name === 'email_changed')).toHaveLength(1);
  });

  it('is refused as long as the last change can be undone', async () => {
    const { mara } = await moved();
    const again = { email: newAddress(), password };
    expect((await call('begin', again, mara.browser)).status).toBe(409);
    expect((await call('show', {}, mara.browser)).body.undoExpiresAt).not.toBeNull();
    advance(app, 7 * day);
    expect((await call('begin', again, mara.browser)).status).toBe(200);
  });
});

describe('an address that somebody has', () => {
  it('gets the same answer and an email without a code; no code is right', async () => {
    const [mara, bob] = [await signUpCreator(app), await signUpCreator(app)];
    const free = await call('begin', { email: newAddress(), password }, bob.browser);
    advance(app, minute);
    const known = await call('begin', { email: bob.email, password }, mara.browser);
    expect([known.status, known.body]).toEqual([free.status, free.body]);
    expect((await call('show', {}, mara.browser)).body.pendingEmail).toBe(bob.email);
    const { template, code } = await readEmail(app, bob.email);
    expect([template, code]).toEqual(['email_change_known', '']);
    expect((await call('confirm', { code: '123456' }, mara.browser)).body.data.triesLeft).toBe(4);
  });

  it('by the time the code comes is told to whoever has proven it, and nothing changes', async () => {
    const mara = await signUpCreator(app);
    const to = newAddress();
    await begin(mara, to);
    const { code } = await readEmail(app, to);
    advance(app, minute);
    await confirmPerson(app, to);
    expect((await call('confirm', { code }, mara.browser)).status).toBe(409);
    expect((await me(mara.browser)).email).toBe(mara.email);
    expect(await listTemplates(app, mara.email)).not.toContain('email_changed');
  });

  it('is kept from nobody by a sign-up that was never confirmed', async () => {
    const mara = await signUpCreator(app);
    const to = newAddress();
    await must(app, 'accounts.signUp', { email: to, isAdult: true }, newBrowser());
    advance(app, minute);
    await begin(mara, to);
    expect((await call('confirm', { code: (await readEmail(app, to)).code }, mara.browser)).status).toBe(200);
    expect((await me(mara.browser)).email).toBe(to);
  });

  it('goes to one of two who prove it at the same moment', async () => {
    const [mara, bob] = [await signUpCreator(app), await signUpCreator(app)];
    const to = newAddress();
    const codes: string[] = [];
    for (const person of [mara, bob]) {
      advance(app, minute);
      await begin(person, to);
      codes.push((await readEmail(app, to)).code);
    }
    const answers = await Promise.all(
      [mara, bob].map(({ browser }, n) => call('confirm', { code: codes[n] ?? '' }, browser)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const owners = await readRows(app, 'select 1 from users where email = $1', [to]);
    expect(owners).toHaveLength(1);
  });

  it('cannot be mailed to without a bound', async () => {
    const mara = await signUpCreator(app);
    const statuses: number[] = [];
    for (let n = 0; n < 11; n++) {
      statuses.push((await call('begin', { email: newAddress(), password }, mara.browser)).status);
      advance(app, minute);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('the way back', () => {
  it('puts the old address back, ends every session and the password, and works once', async () => {
    const { mara, to, token } = await moved();
    const other = newBrowser();
    expect((await signIn(to, other)).status).toBe(200);
    expect((await undo(token)).status).toBe(200);
    for (const browser of [mara.browser, other]) expect(await me(browser)).toBeNull();
    for (const email of [mara.email, to]) expect((await signIn(email)).status).toBe(401);
    for (const email of [mara.email, to]) expect(await listTemplates(app, email)).toContain('email_change_undone');
    expect((await undo(token)).status).toBe(410);
    const asking = newBrowser();
    advance(app, minute);
    await must(app, 'accounts.askForPassword', { email: mara.email }, asking);
    const { code } = await readEmail(app, mara.email);
    await must(app, 'accounts.setPassword', { proof: { code }, password: 'four quiet green hills' }, asking);
    expect(await me(asking)).toMatchObject({ id: mara.userId, email: mara.email });
    expect(await actionsOf(mara.userId)).toContain('email.change_undone');
  });

  it('takes along a second factor that was set up since, and leaves one of before', async () => {
    const { mara, token } = await moved();
    advance(app, minute);
    await addPasskey(app, mara.browser, password);
    await setUpSecondFactor(app, mara.browser, password);
    expect((await undo(token)).status).toBe(200);
    expect(await readRows(app, 'select 1 from passkeys where user_id = $1', [mara.userId])).toEqual([]);
    expect(await readRows(app, 'select 1 from second_factors where user_id = $1', [mara.userId])).toEqual([]);
    const careful = await signUpCreator(app);
    await setUpSecondFactor(app, careful.browser, password);
    const { token: hers } = await moved(careful);
    expect((await undo(hers)).status).toBe(200);
    expect(await readRows(app, 'select 1 from second_factors where user_id = $1', [careful.userId])).toHaveLength(1);
  });

  it('is undone by one of two at the same moment, and by no other secret', async () => {
    const { mara, token } = await moved();
    expect((await undo('A'.repeat(43))).status).toBe(410);
    expect((await Promise.all([undo(token), undo(token)])).map(({ status }) => status).toSorted()).toEqual([200, 410]);
    const told = (await listTemplates(app, mara.email)).filter((name) => name === 'email_change_undone');
    expect(told).toHaveLength(1);
  });

  it('works for whoever was suspended meanwhile, and for no account that was closed', async () => {
    const { mara, to, token } = await moved();
    await changeSuspension(app.engines, { email: to, reason: 'a test', isEnd: false });
    expect((await undo(token)).status).toBe(200);
    const [row] = await readRows(app, 'select email, status from users where id = $1', [mara.userId]);
    expect(row).toEqual({ email: mara.email, status: 'suspended' });
    const closed = await moved();
    await app.engines.database.work({ kind: 'system' }, (tx) =>
      closeAccount(tx, closed.mara.userId, new Date(app.engines.clock() + day)),
    );
    expect((await undo(closed.token)).status).toBe(410);
  });

  it('stays open: nobody else takes the old address before it is over', async () => {
    const { mara, token } = await moved();
    const stranger = newBrowser();
    advance(app, minute);
    await must(app, 'accounts.signUp', { email: mara.email, isAdult: true }, stranger);
    expect((await readEmail(app, mara.email)).template).toBe('address_kept');
    expect(await readRows(app, 'select 1 from users where email = $1', [mara.email])).toEqual([]);
    const bob = await signUpCreator(app);
    advance(app, minute);
    await begin(bob, mara.email);
    expect((await readEmail(app, mara.email)).template).toBe('email_change_known');
    expect((await undo(token)).status).toBe(200);
    advance(app, 7 * day);
    const later = await moved();
    advance(app, 7 * day);
    await must(app, 'accounts.signUp', { email: later.mara.email, isAdult: true }, newBrowser());
    expect((await readEmail(app, later.mara.email)).template).toBe('confirm');
  });

  it('a code lives ten minutes and the way back seven days, to the instant', async () => {
    const mara = await signUpCreator(app);
    const to = newAddress();
    await begin(mara, to);
    const askedMs = app.engines.clock();
    const { code } = await readEmail(app, to);
    app.setNow(new Date(askedMs + 10 * minute).toISOString());
    expect((await call('confirm', { code }, mara.browser)).status).toBe(410);
    const late = await moved();
    const changedMs = app.engines.clock();
    const early = await moved();
    app.setNow(new Date(changedMs + 7 * day).toISOString());
    expect((await undo(late.token)).status).toBe(410);
    app.setNow(new Date(changedMs + minute + 7 * day - 1).toISOString());
    expect((await undo(early.token)).status).toBe(200);
  });
});
