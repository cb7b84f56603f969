import { afterEach, expect, test, vi } from 'vitest';
import { tellDay } from './request-told.ts';

const { DateTimeFormat } = Intl;
afterEach(() => vi.unstubAllGlobals());

test.each([
  ['en-GB', '3 May'],
  ['en-US', 'May 3'],
])('a day is told as a reader of %s is used to', (usual, told) => {
  const usualFormat = function format(locale: string | undefined, options: Intl.DateTimeFormatOptions) {
    return new DateTimeFormat(locale ?? usual, options);
  };
  vi.stubGlobal('Intl', { ...Intl, DateTimeFormat: usualFormat });
  expect(tellDay(new Date('2026-05-03T12:00:00Z'))).toBe(told);
  expect(tellDay(null)).toBe('');
});
