import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest';

/** What is waited for may take as long as what is polled; Vitest has a setting for the latter only. */
const patienceMs = 120_000;
const { waitFor } = vi;
vi.waitFor = (check, options) =>
  waitFor(check, typeof options === 'number' ? options : { timeout: patienceMs, ...options });
afterAll(() => {
  vi.waitFor = waitFor;
});

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
