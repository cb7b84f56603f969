import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newToken } from '#kit/ids.ts';
import { dayMs } from '#kit/time.ts';
import { advance, readEmail, readRows, setUpPerson } from '#tests/support/people.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runInvite } from '../commands.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

const order = (verb?: string, more: Partial<Parameters<typeof runInvite>[1]> = {}) =>
  runInvite(app.engines, { verb, id: undefined, days: undefined, places: undefined, openDays: undefined, ...more });

let made = 0;
/** Makes an invitation as an operator does. */
async function invite(more: Parameters<typeof order>[1] = {}): Promise<{ token: string; id: string }> {
  const said = await order(`Friends ${++made}`, { days: '30', ...more });
  const [, token = ''] = /\/free-join\/(\w{22})$/m.exec(said) ?? [];
  const [, id = ''] = /invite revoke (\S+)$/.exec(said) ?? [];
  return { token, id };
}

const look = (token: string) => app.call('accounts.invitation', { token });
const me = async (browser: Browser) => (await app.call('accounts.me', {}, browser)).body;

const setUp = async (browser: Browser) => setUpPerson(app, { browser, userId: (await me(browser)).user.id });

let people = 0;
/** Asks to join by an invitation. @returns what is needed to confirm it */
async function askToJoin(token: string, email = `invited-${++people}@example.com`) {
  const browser = newBrowser();
  const { status } = await app.call('accounts.signUp', { email, isAdult: true, invitation: token }, browser);
  expect(status).toBe(200);
  return { browser, email, code: (await readEmail(app, email)).code };
}
const confirm = ({ browser, code }: { browser: Browser; code: string }) =>
  app.call('accounts.confirm', { code }, browser);

describe('an invitation', () => {
  it('makes whoever joins by it free, without using up the trial of the mailbox', async () => {
    const { token } = await invite({ days: '14' });
    expect((await look(token)).body).toEqual({ days: 14 });
    const asked = await askToJoin(token);
    expect((await confirm(asked)).body).toEqual({});
    await setUp(asked.browser);
    const freeUntil = new Date(app.engines.clock() + 14 * dayMs).toISOString();
    expect(await me(asked.browser)).toMatchObject({
      hasAccess: true,
      isFreeUser: true,
      freeUntil,
      subscriptionStatus: null,
      trialEndsAt: null,
    });
    expect(await readRows(app, 'select 1 from trial_redemptions')).toEqual([]);
    expect(await readRows(app, `select 1 from mail_outbox where template = 'trial_used'`)).toEqual([]);
    advance(app, 14 * dayMs);
    expect(await me(asked.browser)).toMatchObject({ hasAccess: false, isFreeUser: false });
  });

  it('may make an account free for good', async () => {
    const { token } = await invite({ days: 'forever' });
    expect((await look(token)).body).toEqual({ days: null });
    const asked = await askToJoin(token);
    await confirm(asked);
    expect(await me(asked.browser)).toMatchObject({ isFreeUser: true, freeUntil: null });
  });

  it('is not spent by being looked at, nor by an address that nobody confirms', async () => {
    const { token } = await invite();
    for (let times = 0; times < 3; times++) expect((await look(token)).status).toBe(200);
    await askToJoin(token);
    const asked = await askToJoin(token);
    expect((await confirm(asked)).body).toEqual({});
    expect(await me(asked.browser)).toMatchObject({ isFreeUser: true });
  });

  it('used up, expired, revoked and unknown are one and the same: 410 and one sentence, at the page and at the form', async () => {
    const [full, late, ended] = [await invite(), await invite({ openDays: '1' }), await invite({ openDays: '30' })];
    await confirm(await askToJoin(full.token));
    await order('revoke', { id: ended.id });
    advance(app, dayMs);
    const answers = [];
    for (const token of [full.token, late.token, ended.token, newToken(), 'x', '<script>'])
      for (const answer of [
        await look(token),
        await app.call('accounts.signUp', { email: 'late@example.com', isAdult: true, invitation: token }),
      ])
        answers.push([answer.status, answer.body.code, answer.body.message]);
    expect(new Set(answers.map(String))).toEqual(new Set(['410,GONE,This invitation has ended.']));
    expect(await readRows(app, `select 1 from mail_outbox where recipient = 'late@example.com'`)).toEqual([]);
  });

  it('gives its last place to exactly one of many at once; the others are told, and go on without it', async () => {
    const { token, id } = await invite({ places: '2' });
    const asked = [];
    for (let n = 0; n < 6; n++) asked.push(await askToJoin(token));
    const answers = await Promise.all(asked.map(confirm));
    expect(answers.map(({ status }) => status)).toEqual(asked.map(() => 200));
    expect(answers.filter(({ body }) => body.hasInvitationEnded === true)).toHaveLength(4);
    const standings = await Promise.all(asked.map(({ browser }) => me(browser)));
    expect(standings.filter(({ isFreeUser }) => isFreeUser)).toHaveLength(2);
    expect(standings.every(({ user }) => user !== null)).toBe(true);
    const [row] = await readRows(
      app,
      `select claims_count, (select count(*)::int from join_claims where token_id = $1) as claims
      from join_tokens where id = $1`,
      [id],
    );
    expect(row).toEqual({ claims_count: 2, claims: 2 });
    // Who lost the place has the trial that everybody has.
    const loser = asked.find((_, n) => answers[n]?.body.hasInvitationEnded === true);
    if (loser === undefined) throw new Error('nobody lost');
    await setUp(loser.browser);
    expect(await me(loser.browser)).toMatchObject({ hasAccess: true, subscriptionStatus: 'trialing', freeUntil: null });
  });

  it('takes one place for one account, however often its address is confirmed', async () => {
    const { token, id } = await invite({ places: '5' });
    const { email, ...asked } = await askToJoin(token);
    await confirm(asked);
    advance(app, 2 * 60_000);
    await confirm(await askToJoin(token, email));
    expect(await readRows(app, 'select claims_count from join_tokens where id = $1', [id])).toEqual([
      { claims_count: 1 },
    ]);
  });

  it('never reaches an account that is open already, whose owner is told by mail only', async () => {
    const { token, id } = await invite();
    const first = await askToJoin(token);
    await confirm(first);
    await setUp(first.browser);
    const other = await invite();
    advance(app, 2 * 60_000);
    const again = await app.call('accounts.signUp', { email: first.email, isAdult: true, invitation: other.token });
    expect(again.status).toBe(200);
    const emails = await readRows(app, 'select template from mail_outbox where recipient = $1', [first.email]);
    expect(emails.map(({ template }) => template)).toContain('account_exists');
    expect(await readRows(app, 'select claims_count from join_tokens where id = any($1)', [[id, other.id]])).toEqual(
      expect.arrayContaining([{ claims_count: 1 }, { claims_count: 0 }]),
    );
  });

  it('is kept by a hash of its secret, and every step stands in the log without it', async () => {
    const { token, id } = await invite();
    const asked = await askToJoin(token);
    await confirm(asked);
    await order('revoke', { id });
    const written = await readRows(
      app,
      'select actor_type, action, details from audit_log where target_id = $1 order by id',
      [id],
    );
    expect(written).toEqual([
      { actor_type: 'system', action: 'invitation.made', details: { days: 30, places: 1, openDays: 7 } },
      { actor_type: 'creator', action: 'invitation.claimed', details: {} },
      { actor_type: 'system', action: 'invitation.revoked', details: {} },
    ]);
    const kept = await readRows(
      app,
      `select encode(token_hash, 'hex') || token_hash::text || label as row from join_tokens`,
    );
    expect(kept.map(({ row }) => row).join()).not.toContain(token);
  });
});

describe('an operator', () => {
  it('sees every invitation with its places and how it stands', async () => {
    const { id } = await invite({ places: '3', days: '7' });
    expect(await order('list')).toContain(
      `Friends ${made}: 0 of 3 places taken, free for 7 days\n    ${id}, open until `,
    );
    expect(await order('revoke', { id })).toBe(
      'Nobody can join by it any more. Those who have joined keep what it gave them.',
    );
    expect(await order('list')).toContain(`${id}, revoked on `);
  });

  it.each([
    [undefined, {}, 'Say who it is for'],
    ['Friends', {}, '--days takes 1, 3, 7, 14, 30, 90, 180, 360 or forever'],
    ['Friends', { days: '8' }, '--days takes'],
    ['Friends', { days: '7', places: '101' }, '--places takes a whole number from 1 to 100.'],
    ['Friends', { days: '7', places: '1e1' }, '--places takes'],
    ['Friends', { days: '7', openDays: '31' }, '--open takes a whole number from 1 to 30.'],
    ['x'.repeat(81), { days: '7' }, 'The label takes up to 80 characters.'],
    ['revoke', { id: 'nothing' }, 'There is no invitation "nothing" to revoke.'],
  ] as const)('%s %j is refused with a sentence', async (verb, more, sentence) => {
    await expect(order(verb, more)).rejects.toThrow(sentence);
  });
});
