import { afterEach, expect, it, vi } from 'vitest';
import { creditsContract } from '#features/credits/contract.ts';
import { callsOf } from './client.ts';

afterEach(() => vi.unstubAllGlobals());

it('says in our words that the server cannot be reached', async () => {
  vi.stubGlobal('window', { location: { origin: 'https://example.test' } });
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  const asked = callsOf('credits', creditsContract).balance.call({});
  await expect(asked).rejects.toThrow('Check your connection and try again.');
  await expect(asked).rejects.toBeInstanceOf(TypeError);
});
