import { expect, it } from 'vitest';
import { coverByPending } from './earning-rules.ts';

it('what went back is taken from what is pending before anything is short', () => {
  expect(coverByPending({ available: 500, pending: 900 })).toEqual({ available: 500, pending: 900 });
  expect(coverByPending({ available: -900, pending: 900 })).toEqual({ available: 0, pending: 0 });
  expect(coverByPending({ available: -400, pending: 900 })).toEqual({ available: 0, pending: 500 });
  expect(coverByPending({ available: -1400, pending: 900 })).toEqual({ available: -500, pending: 0 });
  expect(coverByPending({ available: -5, pending: 0 })).toEqual({ available: -5, pending: 0 });
});
