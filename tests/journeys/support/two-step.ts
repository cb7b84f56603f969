import type { Page } from '@playwright/test';
import { codeAt } from '#tests/support/authenticator-codes.ts';
import { call } from './calls.ts';

const periodMs = 30_000;

/** An authenticator app in a journey, whose clock is the machine's. @param typed its key @param taken the half minute whose code was taken */
export function openAuthenticator(typed: string, taken = 0) {
  let last = taken;
  return {
    /** A code that was not given before: it may be the one of the half minute to come, which counts too. */
    async next(): Promise<string> {
      const now = () => Math.floor(Date.now() / periodMs);
      while (now() + 1 <= last) await new Promise((done) => setTimeout(done, 200));
      last = Math.max(last + 1, now());
      return codeAt(typed, last * periodMs);
    },
  };
}

/** Sets up the second factor of whoever is signed in. */
export async function setUpTwoStep(page: Page, url: string, password: string) {
  const { typed } = await call<{ typed: string }>(page, url, 'POST', '/second-factor/begin', { password });
  const authenticator = openAuthenticator(typed);
  await call(page, url, 'POST', '/second-factor', { code: await authenticator.next() });
  return authenticator;
}
