import { afterAll, beforeAll, expect, it } from 'vitest';
import { must, type Person, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let creator: Person;
let accountId: string;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  creator = await signUpCreator(app);
  const { url } = await must(app, 'money.connect', { country: 'US' }, creator.browser);
  accountId = String(url).split('/').at(-1) ?? '';
});
afterAll(() => app.close());

const check = () => must(app, 'money.checkAccount', {}, creator.browser);
const shown = () => must(app, 'money.payouts', {}, creator.browser);

it('an account without a bank takes no payment, and its page says in words what is missing', async () => {
  expect(await check()).toMatchObject({ account: 'pending' });
  expect((await shown()).missing).toEqual([
    'Your legal name',
    'Your date of birth',
    'Your home address',
    "Your agreement to Stripe's terms",
    'A bank account for your payouts',
  ]);
  await app.engines.sandbox?.answerPartly(accountId, 'no_bank');
  expect(await check()).toMatchObject({ account: 'pending' });
  expect(await shown()).toMatchObject({ account: 'pending', missing: ['A bank account for your payouts'] });
  await app.engines.sandbox?.answerPartly(accountId, 'checked');
  expect(await check()).toMatchObject({ account: 'pending' });
  expect((await shown()).missing).toEqual(['Nothing from you: Stripe is checking what you gave']);
  await app.engines.sandbox?.answerOnboarding(accountId, true);
  expect(await check()).toMatchObject({ account: 'complete' });
  expect((await shown()).missing).toEqual([]);
});
