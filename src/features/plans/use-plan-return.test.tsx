import { expect, it } from 'vitest';
import { arrived, findNews } from './use-plan-return.tsx';

const news = (search: string, state: unknown) => findNews(new URLSearchParams(search), state);

it('an address that somebody typed congratulates nobody', () => {
  for (const search of ['success=true', 'trial=true', 'success=yes', ''])
    for (const state of [null, undefined, {}, 'isFromCheckout']) expect(news(search, state)).toBeUndefined();
});

it('whoever comes from the page of a checkout that went well is told so', () => {
  expect(news('success=true', arrived)).toBe('success');
  expect(news('trial=true', arrived)).toBe('trial');
});

it('a checkout that was left is no good news, and is told to whoever comes back', () => {
  expect(news('canceled=true', null)).toBe('canceled');
});
