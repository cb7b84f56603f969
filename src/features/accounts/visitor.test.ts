import { expect, it } from 'vitest';
import { readConsent } from './visitor.ts';

it('a visitor has agreed when her cookie says so, and with no other words', () => {
  const said = ['pf_consent=yes', 'a=b; pf_consent=no; c=d', 'pf_consent=maybe', 'not_pf_consent=yes', ''];
  expect(said.map(readConsent)).toEqual(['yes', 'no', undefined, undefined, undefined]);
});
