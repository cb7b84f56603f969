import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayMs } from '#kit/time.ts';
import { advance, readEmail, readRows, signUpCreator } from '#tests/support/people.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { describeApplications } from './commands.ts';
import { sweepApplications } from './jobs.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

const form = (email: string, more: object = {}) => ({
  name: 'Jo Rivers',
  email,
  audience: 'A newsletter about safety online',
  marksAds: true,
  ...more,
});
const apply = (email: string, more: object = {}, from = newBrowser()) =>
  app.call('affiliates.apply', form(email, more), from);

describe('an application', () => {
  it('is stored as applied, acknowledged by a mail that repeats nothing of it, and listed for the operator', async () => {
    expect((await apply('jo@example.com')).body).toEqual({});
    expect(await readRows(app, 'select email, name, audience, state from affiliates')).toEqual([
      {
        email: 'jo@example.com',
        name: 'Jo Rivers',
        audience: 'A newsletter about safety online',
        state: 'applied',
      },
    ]);
    const { subject, text } = await readEmail(app, 'jo@example.com');
    expect(subject).toBe('Your application');
    expect(text).not.toMatch(/Jo|newsletter/);
    expect(await describeApplications(app.engines)).toContain(
      '  2026-11-21  Jo Rivers <jo@example.com>, applied\n    A newsletter about safety online',
    );
    expect(
      await readRows(app, `select actor_type, action, details from audit_log where action like 'affiliate.%'`),
    ).toEqual([{ actor_type: 'visitor', action: 'affiliate.applied', details: {} }]);
  });

  it('is answered alike for an address that has an account, that has applied before, and that nobody has', async () => {
    const { email } = await signUpCreator(app);
    await apply('twice@example.com');
    const answers = [
      await apply(email),
      await apply('twice@example.com', { name: 'Another' }),
      await apply('new@example.com'),
    ];
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body])))).toEqual(new Set(['[200,{}]']));
    const twice = await readRows(app, `select name from affiliates where email = 'twice@example.com' order by name`);
    expect(twice, 'nobody changes or stops what another sends').toEqual([{ name: 'Another' }, { name: 'Jo Rivers' }]);
    const mails = await readRows(app, `select 1 from mail_outbox where recipient = 'twice@example.com'`);
    expect(mails, 'one mail for an address').toHaveLength(1);
  });

  it('needs a name, an address, some words about the audience, and that ads are marked', async () => {
    const fieldOf = async (more: object) => (await apply('a@b.co', more)).body.data.field;
    expect(await fieldOf({ name: ' ' })).toBe('name');
    expect(await fieldOf({ email: 'a@b.c' })).toBe('email');
    expect(await fieldOf({ audience: 'short' })).toBe('audience');
    expect(await fieldOf({ audience: 'x'.repeat(1001) })).toBe('audience');
    expect(await fieldOf({ marksAds: false })).toBe('marksAds');
  });

  it('is acknowledged once a day for a mailbox, however often and under whatever name of it strangers apply', async () => {
    for (const tag of ['', '+1', '+2', '+3']) expect((await apply(`often${tag}@example.com`)).status).toBe(200);
    const mails = () => readRows(app, `select 1 from mail_outbox where recipient like 'often%'`);
    expect(await mails()).toHaveLength(1);
    advance(app, dayMs);
    await apply('often@example.com');
    expect(await mails()).toHaveLength(2);
  });

  it('is forgotten after a year when nothing has come of it', async () => {
    await apply('kept@example.com');
    await readRows(
      app,
      `update affiliates set state = 'approved', code = 'KEPTKEPT', share_bps = 2000, claimed_at = now() where email = 'kept@example.com'`,
    );
    advance(app, 365 * dayMs - 1);
    await apply('young@example.com');
    advance(app, 2);
    await sweepApplications(app.engines);
    const left = await readRows(app, 'select email from affiliates order by email');
    expect(left).toEqual([{ email: 'kept@example.com' }, { email: 'young@example.com' }]);
  });
});

it('what a stranger writes moves no cursor in the terminal of the operator', async () => {
  await apply('clever@example.com', { name: 'Al\u001b[2Jex', audience: 'one\nline\u202e more than it seems' });
  const said = await describeApplications(app.engines);
  expect(said).toContain('Al[2Jex');
  expect(said).toContain('    one line more than it seems');
});
