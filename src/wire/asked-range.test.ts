import { expect, test } from 'vitest';
import { readAskedRange } from './asked-range.ts';

test.each([
  ['bytes=0-', { from: 0, to: 99 }],
  ['bytes=10-19', { from: 10, to: 19 }],
  ['bytes=10-1000', { from: 10, to: 99 }],
  ['bytes=-30', { from: 70, to: 99 }],
  ['bytes=-1000', { from: 0, to: 99 }],
  ['bytes = 5 - 5', { from: 5, to: 5 }],
  ['bytes=100-', 'none'],
  ['bytes=-0', 'none'],
  ['bytes=0-1,5-6', undefined],
  ['bytes=9-3', undefined],
  ['bytes=-', undefined],
  ['items=0-1', undefined],
  ['', undefined],
  [undefined, undefined],
])('of 100 bytes %s is %o', (header, range) => {
  expect(readAskedRange(header, 100)).toEqual(range);
});
