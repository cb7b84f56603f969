import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeAdministrator, must, type Person, readRows, signInQuickly, signUpCreator } from '#tests/support/people.ts';
import { type Browser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let admin: Person;
let desk: Browser;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.setNow('2027-01-04T12:00:00Z');
  admin = await signUpCreator(app);
  await makeAdministrator(app, admin);
  desk = await signInQuickly(app, admin.userId);
});
afterAll(() => app.close());

const order = { label: 'Studio Nord', note: 'Met at the fair', days: 30, places: 2, openDays: 7 };
const make = (more: object = {}) => app.call('adminInvitations.make', { ...order, ...more }, desk);
const list = async () => (await must(app, 'adminInvitations.list', {}, desk)).invitations;
const look = (address: string) => app.call('accounts.invitation', { token: address.split('/').at(-1) });

it('an owner makes a link that is told once, and revokes it', async () => {
  const { body } = await make();
  expect(body.address).toMatch(/\/free-join\/\w{22}$/);
  expect((await look(body.address)).body).toEqual({ days: 30 });
  expect(await list()).toMatchObject([{ id: body.id, note: 'Met at the fair', taken: 0, places: 2, state: 'open' }]);
  expect(JSON.stringify(await list())).not.toContain(body.address.split('/').at(-1));
  const revoke = () => app.call('adminInvitations.revoke', { invitationId: body.id }, desk);
  expect([(await revoke()).status, (await revoke()).status]).toEqual([200, 409]);
  expect((await look(body.address)).status).toBe(410);
  expect((await list())[0]).toMatchObject({ state: 'revoked' });
  const audited = `select actor_id, action, details from audit_log where action like 'invitation.%' order by id`;
  expect(await readRows(app, audited)).toEqual([
    { actor_id: admin.userId, action: 'invitation.made', details: { days: 30, places: 2, openDays: 7 } },
    { actor_id: admin.userId, action: 'invitation.revoked', details: {} },
  ]);
  expect(await readRows(app, 'select created_by from join_tokens')).toEqual([{ created_by: admin.userId }]);
});

it('is refused in a sentence what no link can be', async () => {
  for (const [more, words] of [
    [{ label: ' ' }, 'Say who it is for'],
    [{ label: 'x'.repeat(81) }, 'at most 80'],
    [{ days: 8 }, 'how long the account is free'],
    [{ places: 0 }, '1 to 100 places'],
    [{ places: 101 }, '1 to 100 places'],
    [{ openDays: 31 }, '1 to 30 days'],
  ] as const) {
    const { status, body } = await make(more);
    expect([status, body.message], JSON.stringify(more)).toEqual([422, expect.stringContaining(words)]);
  }
  expect((await make({ days: null })).status).toBe(200);
});
