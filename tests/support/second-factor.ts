import { codeAt } from './authenticator-codes.ts';
import { advance, must } from './people.ts';
import type { Browser, TestApp } from './test-app.ts';

/** What an app holds that was set up in a test. */
export interface Authenticator {
  typed: string;
  backupCodes: string[];
  /** A code that was not shown before: half a minute passes first. */
  next(): string;
}

/** An app with a secret. */
export const openAuthenticator = (app: TestApp, held: Pick<Authenticator, 'typed' | 'backupCodes'>): Authenticator => ({
  ...held,
  next: () => {
    advance(app, 30_000);
    return codeAt(held.typed, app.engines.clock());
  },
});

/** Sets up the second factor of whoever is signed in. */
export async function setUpSecondFactor(app: TestApp, browser: Browser, password: string): Promise<Authenticator> {
  const { typed } = await must(app, 'secondFactor.begin', { password }, browser);
  const code = codeAt(typed, app.engines.clock());
  const { backupCodes } = await must(app, 'secondFactor.turnOn', { code }, browser);
  return openAuthenticator(app, { typed, backupCodes });
}
