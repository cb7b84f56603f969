import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Person, readRow, readRows, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let mia: Person;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  mia = await signUpCreator(app);
});
afterAll(() => app.close());

const suggested = async ({ browser }: Pick<Person, 'browser'>) =>
  (await app.call('money.account', {}, browser)).body.payoutCountry;
const livesIn = (country: string | null) =>
  readRows(app, 'update users set country = $2 where id = $1', [mia.userId, country]);

it('the country of a payout account is proposed by what she said, else by her network; one that cannot be paid is not', async () => {
  expect(await suggested(mia), 'where she said she lives').toBe('DE');
  await livesIn('BR');
  expect(await suggested(mia)).toBeNull();
  await livesIn(null);
  expect(await suggested(mia)).toBeNull();
  const network = vi.spyOn(app.engines.geoip, 'countryOf').mockReturnValue('NL');
  expect(await suggested(mia)).toBe('NL');
  network.mockRestore();
});

it('an account is not made without its country, nor in one that cannot be paid', async () => {
  const asked = vi.spyOn(app.engines.payments, 'ensureAccount');
  for (const input of [{}, { country: 'BR' }, { country: 'us' }, { country: 'XX' }])
    expect(await app.call('money.connect', input, mia.browser)).toMatchObject({
      status: 422,
      body: { code: 'VALIDATION', data: { field: 'country' } },
    });
  expect(asked).not.toHaveBeenCalled();
  asked.mockRestore();
});

it('it is made in the country that she chose, for good, and another account is proposed the same', async () => {
  expect((await app.call('money.connect', { country: 'ES' }, mia.browser)).status).toBe(200);
  expect((await app.call('money.connect', { country: 'FR' }, mia.browser)).status).toBe(200);
  const rows = await readRows(app, 'select country from user_stripe_accounts where user_id = $1', [mia.userId]);
  expect(rows).toEqual([{ country: 'ES' }]);
  const { country } = await readRow<{ country: string }>(
    app,
    `select body->'identity'->>'country' as country from sandbox_objects where type = 'v2.core.account'`,
  );
  expect(country).toBe('es');
  await livesIn('DE');
  expect(await suggested(mia)).toBe('ES');
  // The same person where the money is real: they have no account there yet.
  await readRows(app, `update user_stripe_accounts set livemode = true where user_id = $1`, [mia.userId]);
  expect(await suggested(mia)).toBe('ES');
});
