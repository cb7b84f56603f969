import { afterAll, beforeAll, expect, it } from 'vitest';
import { payoutCountries } from '#kit/payout-countries.ts';
import { openProvider, type Provider } from '#tests/support/money/provider.ts';

let provider: Provider;
beforeAll(async () => {
  provider = await openProvider();
});
afterAll(() => provider.close());

const mia = { userId: 'mia', email: 'mia@example.com', handle: 'mia' };

it('an account is made in the country of its owner, which the provider keeps', async () => {
  const made = await provider.payments.ensureAccount({ ...mia, country: 'DE' });
  expect(made.country).toBe('DE');
  expect(await provider.payments.ensureAccount({ ...mia, country: 'DE' })).toEqual(made);
  const kept = `select body->'identity'->>'country' as country from sandbox_objects where id = $1`;
  const rows = await provider.database.work({ kind: 'system' }, ({ client }) =>
    client.query<{ country: string }>(kept, [made.accountId]),
  );
  expect(rows.rows).toEqual([{ country: 'de' }]);
});

it('an answer that was lost blocks no other one', async () => {
  const lost = await provider.payments.ensureAccount({ ...mia, userId: 'lost', country: 'FR' });
  const other = await provider.payments.ensureAccount({ ...mia, userId: 'lost', country: 'ES' });
  expect(other.country).toBe('ES');
  expect(other.accountId).not.toBe(lost.accountId);
});

it('no account is made in a country that the platform cannot pay', async () => {
  for (const country of ['BR', 'XX', 'IS'])
    await expect(
      provider.payments.ensureAccount({ ...mia, userId: country, country: country as 'US' }),
    ).rejects.toMatchObject({ name: 'PaymentRefused' });
  expect(new Set(payoutCountries).size).toBe(33);
});
