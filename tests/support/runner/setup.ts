import { afterEach, beforeEach, expect, vi } from 'vitest';

/** Anything said on the error channels that a test did not expect fails it. */
beforeEach(() => {
  vi.spyOn(console, 'error');
  vi.spyOn(console, 'warn');
});
afterEach(() => {
  for (const channel of [console.error, console.warn])
    if (vi.isMockFunction(channel)) expect(channel.mock.calls).toEqual([]);
  vi.restoreAllMocks();
});
