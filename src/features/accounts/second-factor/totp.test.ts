import { expect, it } from 'vitest';
import { codeAt } from '#tests/support/authenticator-codes.ts';
import { describeSecret, findStep, newTotpSecret, stepAt } from './totp.ts';

const rfcSecret = '12345678901234567890';

it('makes the codes of RFC 6238, appendix B, of six digits', async () => {
  for (const [seconds, code] of [
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
  ] as const) {
    const now = new Date(seconds * 1000);
    expect(await findStep(rfcSecret, code, now, 0)).toBe(stepAt(now));
  }
});

it('takes the codes of the half minutes beside this one, and none further away', async () => {
  const now = new Date('2026-11-29T12:00:10.000Z');
  const [secret, step] = ['a secret of no app at all', stepAt(now)];
  const { typed } = describeSecret(secret, 'mara@example.com');
  const found = await Promise.all(
    [-2, -1, 0, 1, 2].map((shift) => findStep(secret, codeAt(typed, now.getTime() + shift * 30_000), now, 0)),
  );
  expect(found).toEqual([undefined, step - 1, step, step + 1, undefined]);
});

it('takes no code again, and none of before the one that was taken', async () => {
  const now = new Date('2026-11-29T12:00:10.000Z');
  const { typed } = describeSecret(rfcSecret, 'mara@example.com');
  const step = stepAt(now);
  const take = (shift: number, after: number) =>
    findStep(rfcSecret, codeAt(typed, now.getTime() + shift * 30_000), now, after);
  expect([await take(0, step), await take(-1, step), await take(1, step)]).toEqual([undefined, undefined, step + 1]);
});

it('says its secret in base32, with whose it is', () => {
  const secret = newTotpSecret();
  const { address, typed } = describeSecret(secret, 'mara+a@example.com');
  expect(typed).toMatch(/^[A-Z2-7]{40}$/);
  expect(address).toBe(
    `otpauth://totp/PrivateFans:mara%2Ba%40example.com?secret=${typed}&issuer=PrivateFans&digits=6&period=30`,
  );
  expect(newTotpSecret()).not.toBe(secret);
});
