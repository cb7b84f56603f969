import fc from 'fast-check';
import { expect, it } from 'vitest';
import { composeSlug } from '#features/links/rules.ts';
import { newToken } from '#kit/ids.ts';
import { readSlug } from './read-slug.ts';

const behind = [
  '',
  '.',
  ',',
  ')',
  '!',
  '>',
  '*',
  '_',
  ';',
  ':',
  '"',
  "'",
  '…',
  '。',
  '%20',
  '%E2%80%8B',
  '/',
  '/.',
  '-',
  '?',
  '%',
];

it.each(behind)('with "%s" behind it is read as it was made', (end) => {
  for (const slug of [composeSlug('', newToken()), composeSlug('golden-hour', newToken())]) {
    const { pathname } = new URL(`https://fans.example/view/${slug}${end}`);
    expect(readSlug(pathname)).toBe(slug);
  }
});

it('is nothing where there is none', () => {
  for (const path of ['/view/', '/view/%20', '/view/...', '/view']) expect(readSlug(path)).toBe('');
});

it('never becomes anything that an address could be cut at', () => {
  fc.assert(fc.property(fc.webPath(), (path) => /^[\da-zA-Z-]*$/.test(readSlug(`/view${path}`))));
});

it('of letters that were escaped on their way is the same, and a sign that escapes nothing ends it', () => {
  expect(readSlug('/view/%61b%63-12')).toBe('abc-12');
  expect(readSlug('/view/abc%')).toBe('abc');
  expect(readSlug('/view/abc%zz')).toBe('abc');
});
