import { insertSession } from '#features/accounts/auth-store.ts';
import { signToken } from '#features/accounts/session.ts';
import { type Browser, newBrowser, type TestApp } from '#tests/support/test-app.ts';

/** Another browser in which a person is signed in, without the work that her password costs. */
export async function signInQuickly({ engines }: TestApp, userId: string): Promise<Browser> {
  const now = new Date(engines.clock());
  const expiresAt = new Date(now.getTime() + 30 * 86_400_000);
  const session = { userId, userAgent: 'drill', country: undefined, now, expiresAt };
  const { token } = await engines.database.work({ kind: 'system' }, (tx) => insertSession(engines, tx, session));
  const browser = newBrowser();
  browser.cookies.set(
    `${engines.installation.isSecure ? '__Secure-' : ''}pf.session_token`,
    encodeURIComponent(signToken(token, engines.secrets)),
  );
  return browser;
}
