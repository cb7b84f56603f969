import { describe, expect, it } from 'vitest';
import { hashPassword } from '#features/accounts/password.ts';
import { hashLinkPassword, isLinkPassword, plainPassword } from './link-password.ts';

describe('the password of a link', () => {
  it.each([
    ['with a space that was copied along', " Ana's “blue” café\n"],
    ['with quotes that a phone has curled', 'Ana’s "blue" café'],
    ['with straight quotes', 'Ana\'s "blue" café'],
    ['with letters in two parts', 'Ana‘s „blue“ cafe\u0301'],
  ])('opens %s', async (_how, typed) => {
    expect(await isLinkPassword(typed, await hashLinkPassword('Ana’s “blue” café'))).toBe(true);
  });

  it('is still compared letter by letter', async () => {
    const stored = await hashLinkPassword('blue orchard');
    for (const typed of ['Blue orchard', 'blue  orchard', 'blueorchard', ''])
      expect(await isLinkPassword(typed, stored)).toBe(false);
  });

  it('opens as it was typed when its hash was made of that', async () => {
    const stored = await hashPassword('“blue orchard” ');
    expect(await isLinkPassword('“blue orchard” ', stored)).toBe(true);
    expect(await isLinkPassword('"blue orchard"', stored)).toBe(false);
  });

  it('has one plain form', () => {
    expect(plainPassword(plainPassword(' ‚a‛ „b‟ '))).toBe('\'a\' "b"');
  });
});
