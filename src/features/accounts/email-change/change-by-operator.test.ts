import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs } from '#kit/time.ts';
import {
  advance,
  listTemplates,
  makeAdministrator,
  type Person,
  readEmail,
  readRow,
  readRows,
  signInQuickly,
  signUpCreator,
} from '#tests/support/people.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runUsers } from '../commands.ts';

let app: TestApp;
let admin: Person;
let desk: Browser;
let addresses = 0;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.setNow('2026-11-30T12:00:00Z');
  admin = await signUpCreator(app);
  await makeAdministrator(app, admin);
});
beforeEach(async () => {
  desk = await signInQuickly(app, admin.userId);
});
afterAll(() => app.close());

const newAddress = () => `new-${++addresses}@example.com`;
const reason = 'They named the last three receipts on the phone.';
const begin = (userId: string, email: string) => app.call('adminUsers.changeEmail', { userId, email, reason }, desk);
/** A second later: of emails of one instant none is the newest. */
const confirm = (token: string, browser = newBrowser()) => {
  advance(app, 1000);
  return app.call('emailChange.confirmByLink', { token }, browser);
};
const emailOf = async (userId: string) => (await readRow(app, 'select email from users where id = $1', [userId])).email;

/** Somebody whose change waits for its link. */
async function begun() {
  advance(app, minuteMs);
  const person = await signUpCreator(app);
  const to = newAddress();
  advance(app, 1000);
  expect((await begin(person.userId, to)).status).toBe(200);
  return { person, to, token: (await readEmail(app, to)).token };
}

describe('an address that an administrator changes for somebody who has lost their mailbox', () => {
  it('is the new one only once its link was used, and the old one is told how to undo it', async () => {
    const { person, to, token } = await begun();
    expect(await emailOf(person.userId)).toBe(person.email);
    expect(await listTemplates(app, person.email)).not.toContain('email_changed');
    expect((await confirm(token)).status).toBe(200);
    expect(await emailOf(person.userId)).toBe(to);
    advance(app, 6 * dayMs);
    const { token: back, template } = await readEmail(app, person.email);
    expect(template).toBe('email_changed');
    expect((await app.call('emailChange.undo', { token: back }, newBrowser())).status).toBe(200);
    expect(await emailOf(person.userId)).toBe(person.email);
  });

  it('stands in the audit log with the reason and who did it', async () => {
    const { person, token } = await begun();
    await confirm(token);
    const rows = await readRows(
      app,
      `select action, actor_type, actor_id, details from audit_log where target_id = $1 and action like 'email.%' order by id`,
      [person.userId],
    );
    expect(rows).toMatchObject([
      { action: 'email.change_begun', actor_type: 'admin', actor_id: admin.userId, details: { reason } },
      { action: 'email.changed', actor_type: 'visitor' },
    ]);
  });

  it('works once, even when the link is used twice at the same moment, and for 24 hours', async () => {
    const { token } = await begun();
    const answers = await Promise.all([confirm(token), confirm(token), confirm(token)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410, 410]);
    const late = await begun();
    advance(app, 24 * hourMs);
    expect((await confirm(late.token)).status).toBe(410);
    expect((await confirm('x'.repeat(43))).status).toBe(410);
  });

  it('is refused for an address of another account, for the same again, and while a change can be undone', async () => {
    const { person, to, token } = await begun();
    const other = await signUpCreator(app);
    expect((await begin(person.userId, other.email)).status).toBe(409);
    await confirm(token);
    advance(app, minuteMs);
    expect((await begin(person.userId, to)).status).toBe(409);
    expect((await begin(person.userId, newAddress())).status).toBe(409);
  });

  it('is not confirmed for an address that somebody has taken meanwhile, nor for a suspended account', async () => {
    const { person, to, token } = await begun();
    const other = await signUpCreator(app);
    await readRows(app, 'update users set email = $2 where id = $1', [other.userId, to]);
    expect((await confirm(token)).status).toBe(409);
    await readRows(app, 'update users set email = $2 where id = $1', [other.userId, newAddress()]);
    await readRows(app, `update users set status = 'suspended' where id = $1`, [person.userId]);
    expect((await confirm(token)).status).toBe(410);
  });

  it('takes no code: the link alone confirms it', async () => {
    const { person, to } = await begun();
    const { code } = await readEmail(app, to);
    expect(code).toBe('');
    expect((await app.call('emailChange.confirm', { code: '000000' }, person.browser)).status).toBe(410);
  });

  it('is not taken off by whoever is signed in to the account', async () => {
    const { person, to, token } = await begun();
    const calls = [
      app.call('emailChange.resend', {}, person.browser),
      app.call('emailChange.begin', { email: newAddress(), password: person.password }, person.browser),
    ];
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([410, 409]);
    expect((await app.call('emailChange.show', {}, person.browser)).body.pendingEmail).toBeNull();
    expect((await confirm(token)).status).toBe(200);
    expect(await emailOf(person.userId)).toBe(to);
  });

  it("is an owner's alone, never of their own account, and the same from the command line", async () => {
    const person = await signUpCreator(app);
    expect((await begin(admin.userId, newAddress())).status).toBe(403);
    await readRows(app, `update user_roles set scopes = '{support,moderation}'`);
    expect((await begin(person.userId, newAddress())).status).toBe(403);
    await readRows(app, `update user_roles set scopes = '{owner}'`);
    const to = newAddress();
    const order = { verb: 'change-email', email: person.email, newEmail: to, reason };
    await expect(runUsers(app.engines, { ...order, newEmail: 'no address' })).rejects.toThrow('no email address');
    await expect(runUsers(app.engines, { ...order, reason: '' })).rejects.toThrow('--reason');
    expect(await runUsers(app.engines, order)).toContain(to);
    expect((await confirm((await readEmail(app, to)).token)).status).toBe(200);
    expect(await emailOf(person.userId)).toBe(to);
  });
});
