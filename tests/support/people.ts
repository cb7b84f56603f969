import { insertSession } from '#features/accounts/auth-store.ts';
import { signToken } from '#features/accounts/browser-session.ts';
import { makeAdmin } from '#features/accounts/store.ts';
import { listEmails } from '#features/notices/store.ts';
import type { AdminScope } from '#wire/promise.ts';
import { type Browser, newBrowser, type TestApp } from './test-app.ts';

/** A creator in a test, signed in and set up. */
export interface Person {
  browser: Browser;
  userId: string;
  email: string;
  password: string;
}

export const goodPassword = 'three calm rivers';
let people = 0;

/** Turns the clock on. */
export const advance = (app: TestApp, ms: number) => app.setNow(new Date(app.engines.clock() + ms).toISOString());

/** What the database holds, whoever it belongs to. */
export const readRows = <Row extends object = Record<string, unknown>>(
  { engines }: Pick<TestApp, 'engines'>,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> =>
  engines.database.work({ kind: 'system' }, async ({ client }) => (await client.query<Row>(text, [...values])).rows);

/** The first row of them. @throws when there is none */
export async function readRow<Row extends object = Record<string, unknown>>(
  ...asked: Parameters<typeof readRows>
): Promise<Row> {
  const [row] = await readRows<Row>(...asked);
  if (row === undefined) throw new Error(`no row for ${asked[1]}`);
  return row;
}

/** The newest email to an address: what it says, the code in it and the secret of its link. */
export async function readEmail(app: TestApp, address: string) {
  const email = address.toLowerCase();
  const emails = await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 1000));
  const found = emails.find(({ to }) => to === email);
  if (found === undefined) throw new Error(`no email to ${email}`);
  const [, code = ''] = /^ {4}(\d{6})$/m.exec(found.text) ?? [];
  const [link = '', token = ''] = /https?:\/\/\S+#(\w{43})/.exec(found.text) ?? [];
  return { ...found, code, link, token };
}

/** The names of the emails that an address has got. */
export async function listTemplates(app: TestApp, email: string): Promise<string[]> {
  const emails = await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 1000));
  return emails.filter(({ to }) => to === email).map(({ template }) => template);
}

/** A call that has to succeed. @throws with what was answered instead */
export async function must(app: TestApp, procedure: string, input: unknown, browser: Browser) {
  const answer = await app.call(procedure, input, browser);
  if (answer.status !== 200) throw new Error(`${procedure}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Asks for an account and confirms the address by the code; the account is still to be set up. */
export async function confirmPerson(
  app: TestApp,
  email = `person-${++people}@example.com`,
  browser = newBrowser(),
): Promise<{ browser: Browser; email: string; userId: string }> {
  await must(app, 'accounts.signUp', { email, isAdult: true }, browser);
  const { code } = await readEmail(app, email);
  await must(app, 'accounts.confirm', { code }, browser);
  const me = await must(app, 'accounts.me', {}, browser);
  return { browser, email, userId: me.user.id };
}

/** A creator by the real way: sign up, the code from the outbox, the four steps of the setup, a trial. */
export async function signUpCreator(app: TestApp, { email }: { email?: string } = {}): Promise<Person> {
  const { browser, userId, email: address } = await confirmPerson(app, email);
  await setUpPerson(app, { browser, userId });
  return { browser, userId, email: address, password: goodPassword };
}

/** The four steps of the setup, for whoever has confirmed her address. */
export async function setUpPerson(
  app: TestApp,
  { browser, userId }: Pick<Person, 'browser' | 'userId'>,
): Promise<void> {
  const handle = `person_${userId.slice(-10)}`;
  const profile = { displayName: `Person ${handle.slice(-4)}`, handle, country: 'DE', timeZone: 'Europe/Berlin' };
  await must(app, 'accounts.setUpPassword', { password: goodPassword }, browser);
  await must(app, 'accounts.setUpProfile', profile, browser);
  const consent = { birthDate: '1994-05-01', acceptsTerms: true, acceptsContentPolicy: true, wantsNews: false };
  await must(app, 'accounts.setUpConsent', consent, browser);
  await must(app, 'accounts.finishSetup', {}, browser);
}

/** Makes a person an administrator with a second factor, which was given in every session they have. */
export async function makeAdministrator(
  app: TestApp,
  { email, userId }: Pick<Person, 'email' | 'userId'>,
  scopes: readonly AdminScope[] = ['owner'],
): Promise<void> {
  await app.engines.database.work({ kind: 'system' }, (tx) => makeAdmin(tx, email, scopes));
  await readRows(app, `update users set two_factor = 'passkey' where id = $1`, [userId]);
  await giveCode(app, userId);
}

/** Notes in an administrator's sessions that their second factor was given. */
const giveCode = (app: TestApp, userId: string) =>
  readRows(
    app,
    `update auth_sessions set code_at = $2 where user_id = $1 and code_at is null and exists (
       select 1 from user_roles r join users u on u.id = r.user_id where u.id = $1 and u.two_factor <> 'none')`,
    [userId, new Date(app.engines.clock())],
  );

/** Another browser in which a person is signed in, without the work that her password costs. @returns it, and its session's id */
export async function openSession(app: TestApp, userId: string): Promise<{ id: string; browser: Browser }> {
  const { engines } = app;
  const now = new Date(engines.clock());
  const expiresAt = new Date(now.getTime() + 30 * 86_400_000);
  const session = { userId, userAgent: 'a test', country: undefined, now, expiresAt };
  const { id, token } = await engines.database.work({ kind: 'system' }, (tx) => insertSession(engines, tx, session));
  await giveCode(app, userId);
  const browser = newBrowser();
  const name = `${engines.installation.isSecure ? '__Host-' : ''}pf.session_token`;
  browser.cookies.set(name, encodeURIComponent(signToken(token, engines.secrets)));
  return { id, browser };
}
export const signInQuickly = async (app: TestApp, userId: string): Promise<Browser> =>
  (await openSession(app, userId)).browser;
