import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { confirmPerson, makeAdministrator, type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { makeAdmin } from '../store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

const set = (columns: string) => (person: Person) =>
  readRows(app, `update users set ${columns} where id = $1`, [person.userId]);
const entitle = (columns: string) => (person: Person) =>
  readRows(app, `insert into user_entitlements (user_id, ${columns}) values ($1, true)`, [person.userId]);
const yesterday = `'2020-01-01T00:00:00Z'`;
const inYears = `'2040-01-01T00:00:00Z'`;

/** Everything at its least; a kind of person says only what differs. */
const least = {
  hasAccess: false,
  isAdmin: false,
  needsSecondFactor: false,
  isFreeUser: false,
  isSubscribed: false,
  isStopped: false,
  subscriptionStatus: null as string | null,
  entitlements: { suiteUser: false, isBeta: false },
};
const paying = { hasAccess: true, isSubscribed: true };
const noTrial = 'trial_ends_at = null, subscription_status';

type Change = (person: Person) => Promise<unknown>;
const people: [string, Change, Partial<typeof least>][] = [
  ['in her trial', async () => undefined, { ...paying, subscriptionStatus: 'trialing' }],
  ['whose trial is over', set(`trial_ends_at = ${yesterday}`), { subscriptionStatus: 'inactive' }],
  ['who pays', set(`${noTrial} = 'active'`), { ...paying, subscriptionStatus: 'active' }],
  ['whose card was refused', set(`${noTrial} = 'past_due'`), { ...paying, subscriptionStatus: 'past_due' }],
  ['who cancelled', set(`${noTrial} = 'canceled'`), { subscriptionStatus: 'canceled' }],
  ['who never had a plan', set(`${noTrial} = null`), {}],
  ['a free user', set(`is_free_user = true, ${noTrial} = null`), { hasAccess: true, isFreeUser: true }],
  [
    'a free user until a day to come',
    set(`is_free_user = true, free_until = ${inYears}, ${noTrial} = 'inactive'`),
    { hasAccess: true, isFreeUser: true, subscriptionStatus: 'inactive' },
  ],
  [
    'a free user until a day that is over',
    set(`is_free_user = true, free_until = ${yesterday}, ${noTrial} = null`),
    {},
  ],
  [
    'an administrator without a plan',
    async (person) => {
      await set(`${noTrial} = 'inactive'`)(person);
      await makeAdministrator(app, person);
    },
    { hasAccess: true, isAdmin: true, subscriptionStatus: 'inactive' },
  ],
  [
    'an administrator without a plan and without a second factor',
    async (person) => {
      await set(`${noTrial} = 'inactive'`)(person);
      await app.engines.database.work({ kind: 'system' }, (tx) => makeAdmin(tx, person.email));
    },
    { needsSecondFactor: true, subscriptionStatus: 'inactive' },
  ],
  [
    'with the suite, which is no plan',
    async (person) => {
      await set(`${noTrial} = null`)(person);
      await entitle('suite_user')(person);
    },
    { entitlements: { suiteUser: true, isBeta: false } },
  ],
  [
    'in the beta, who pays as well',
    async (person) => {
      await set(`${noTrial} = 'active'`)(person);
      await entitle('is_beta')(person);
    },
    { ...paying, subscriptionStatus: 'active', entitlements: { suiteUser: false, isBeta: true } },
  ],
  [
    'who is suspended, whatever she pays',
    set(`status = 'suspended', ${noTrial} = 'active'`),
    { isSubscribed: true, isStopped: true, subscriptionStatus: 'active' },
  ],
];

describe('what /api/me says of a person', () => {
  it.each(people)('%s', async (_kind, change, differs) => {
    const person = await signUpCreator(app);
    await change(person);
    const { body } = await app.call('accounts.me', {}, person.browser);
    expect(body).toMatchObject({ ...least, setupStep: 'done', ...differs });
    expect(body.user).toMatchObject({ id: person.userId, email: person.email });
  });

  it('whose setup is not done: no plan, no access, and the step that is open', async () => {
    const browser = newBrowser();
    await confirmPerson(app, 'half-way@example.com', browser);
    const { body } = await app.call('accounts.me', {}, browser);
    expect(body).toMatchObject({ ...least, setupStep: 'password' });
    expect(body.user).toMatchObject({ email: 'half-way@example.com', hasPassword: false });
  });

  it('of a visitor: everything at its least, and no person', async () => {
    const { body } = await app.call('accounts.me', {}, newBrowser());
    expect(body).toMatchObject({ ...least, user: null });
  });

  it('is the same at its short name', async () => {
    const { browser } = await signUpCreator(app);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await app.fastify.inject({ method: 'GET', url: '/api/me', headers: { cookie } });
    const { body } = await app.call('accounts.me', {}, browser);
    const { now: _now, ...said } = answer.json();
    const { now: _later, ...expected } = JSON.parse(JSON.stringify(body));
    expect(said).toEqual(expected);
  });
});
