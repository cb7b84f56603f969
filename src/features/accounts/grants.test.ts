import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { advance, must, type Person, readRow, readRows, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { type GrantOrder, runGrant } from './grants.ts';

let app: TestApp;
let mara: Person;
const day = 86_400_000;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  mara = await signUpCreator(app);
});
afterAll(() => app.close());

const grant = (what: string, more: Partial<GrantOrder> = {}, email = mara.email) =>
  runGrant(app.engines, { email, what, days: undefined, isEnd: false, ...more });
const access = async () => {
  const { isFreeUser, freeUntil, entitlements } = await must(app, 'accounts.me', {}, mara.browser);
  return { isFreeUser, freeUntil, ...entitlements };
};
const mails = () =>
  readRows<{ body_text: string }>(
    app,
    `select body_text from mail_outbox where template = 'access_granted' and recipient = $1 order by created_at, id`,
    [mara.email],
  );

describe('whoever runs the installation', () => {
  it('makes an account free for so many days, to the instant, which its plan page and an email say', async () => {
    expect(await grant('free', { days: '20' })).toBe(
      `${mara.email} has free access until 2026-12-11, and an email that says so.`,
    );
    expect(await access()).toMatchObject({ isFreeUser: true, freeUntil: '2026-12-11T12:00:00.000Z' });
    expect((await mails()).at(-1)?.body_text).toContain('Your account is free until 11 December 2026.');
    await readRow(app, `update users set subscription_status = null, trial_ends_at = null where id = $1 returning id`, [
      mara.userId,
    ]);
    expect(await must(app, 'billing.plan', {}, mara.browser)).toMatchObject({
      kind: 'free',
      freeUntil: '2026-12-11T12:00:00.000Z',
    });
    advance(app, 20 * day - 1);
    expect((await access()).isFreeUser).toBe(true);
    advance(app, 1);
    expect((await access()).isFreeUser).toBe(false);
  });

  it('makes it free for good, and ends that without an email', async () => {
    await grant('free');
    expect(await access()).toMatchObject({ isFreeUser: true, freeUntil: null });
    const before = (await mails()).length;
    expect(await grant('free', { isEnd: true })).toBe(`${mara.email} no longer has free access. No email was sent.`);
    expect((await access()).isFreeUser).toBe(false);
    expect(await mails()).toHaveLength(before);
  });

  it('gives the suite and what is new, each by itself, and takes one back', async () => {
    await grant('suite');
    await grant('beta');
    expect(await access()).toMatchObject({ suiteUser: true, isBeta: true });
    await grant('beta', { isEnd: true });
    expect(await access()).toMatchObject({ suiteUser: true, isBeta: false });
  });

  it('finds every grant in the audit log', async () => {
    const rows = await readRows(
      app,
      `select action, details from audit_log where action like 'access.%' and target_id = $1 order by at, id`,
      [mara.userId],
    );
    expect(rows.slice(0, 1)).toEqual([
      { action: 'access.granted', details: { what: 'free', until: '2026-12-11T12:00:00.000Z' } },
    ]);
    expect(rows.map(({ action }) => action)).toEqual(
      ['granted', 'granted', 'ended', 'granted', 'granted', 'ended'].map((verb) => `access.${verb}`),
    );
  });

  it('is told what is wrong, and nothing is changed', async () => {
    await expect(grant('everything')).rejects.toThrow('Say what:');
    await expect(grant('free', {}, 'nobody@example.com')).rejects.toThrow('No account has the address');
    for (const days of ['0', '-3', '3651', 'many', '1.5'])
      await expect(grant('free', { days })).rejects.toThrow('--days takes a whole number from 1 to 3650');
    await expect(grant('suite', { days: '3' })).rejects.toThrow('--days goes with `free` only.');
    expect((await access()).isFreeUser).toBe(false);
  });
});
