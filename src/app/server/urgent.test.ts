import { afterAll, beforeAll, expect, test } from 'vitest';
import { newToken } from '#kit/ids.ts';
import { type Person, signUpCreator } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, copyOf, elsewhere, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

/** Two connections are kept for what must always work. Whoever comes in a crowd over its routes does not get them. */
const crowd = 200;
const routes = ['links.revoke', 'accounts.endSession', 'viewing.closeScreen', 'accounts.signOutEverywhere'];
const inputs: Record<string, object> = {
  'links.revoke': { linkIds: ['01234567-89ab-7def-8123-456789abcdef'] },
  'accounts.endSession': { sessionId: '01234567-89ab-7def-8123-456789abcdef' },
  'viewing.closeScreen': { visitId: '01234567-89ab-7def-8123-456789abcdef' },
};
let app: TestApp;
let shared: SharedAlbum;
let leaver: Person;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false, server: { patience: { loopMs: 600_000, poolMs: 600_000 } } });
  shared = await shareAlbum(app, { count: 1 });
  leaver = await signUpCreator(app);
});
afterAll(() => app.close());

const withCookie = (value: string): Browser => {
  const browser = newBrowser();
  browser.cookies.set('pf.session_token', value);
  return browser;
};
const askMany = (browserOf: (n: number) => Browser) =>
  Array.from({ length: crowd }, (_, n) => {
    const procedure = routes[n % routes.length] ?? '';
    return app.call(procedure, inputs[procedure], browserOf(n));
  });
const count = (statuses: readonly number[], status: number) => statuses.filter((each) => each === status).length;

/** A real revoke in the middle of a crowd: it works. @returns how many statements the crowd cost, and what it was answered */
async function revokeAmong(begin: () => Promise<{ status: number }>[]) {
  const link = await shared.makeLink();
  const revoke = () => app.call('links.revoke', { linkIds: [link.id] }, shared.creator.browser);
  const before = app.engines.database.statementCount();
  await app.call('links.revoke', { linkIds: ['01234567-89ab-7def-8123-456789abcdef'] }, shared.creator.browser);
  const usual = app.engines.database.statementCount() - before;
  const [began, answers] = [app.engines.database.statementCount(), begin()];
  expect((await revoke()).status).toBe(200);
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  return { statuses, statements: app.engines.database.statementCount() - began - usual };
}

test('a crowd with made-up cookies costs the database nothing', async () => {
  const { statuses, statements } = await revokeAmong(() =>
    askMany((n) => withCookie(n % 2 ? `${newToken(32)}.${newToken(32)}` : newToken(32))),
  );
  expect(count(statuses, 401)).toBe(crowd);
  expect(statements).toBeLessThan(10);
});

test('a crowd with the cookie of one session that has ended is asked to come again', async () => {
  const left = copyOf(leaver.browser);
  const ended = () => elsewhere(left);
  expect((await app.call('accounts.signOut', {}, leaver.browser)).status).toBe(200);
  const { statuses, statements } = await revokeAmong(() => askMany(ended));
  expect(count(statuses, 401) + count(statuses, 503)).toBe(crowd);
  expect(count(statuses, 401)).toBeGreaterThan(0);
  expect(statements).toBeLessThan(40);
  // When the crowd is gone it is answered again.
  expect((await app.call('links.revoke', inputs['links.revoke'], ended())).status).toBe(401);
});

test('a crowd of one living session is asked to come again, and other sessions of the same person are not', async () => {
  const busy = await signUpCreator(app);
  const other = newBrowser();
  await app.call('accounts.signIn', { email: busy.email, password: busy.password }, other);
  const answers = askMany(() => busy.browser).filter((_, n) => n % routes.length !== 3);
  expect((await app.call('links.revoke', inputs['links.revoke'], other)).status).not.toBe(503);
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(count(statuses, 503)).toBeGreaterThan(0);
});

test('a crowd that asks after the health costs one look', async () => {
  const { statuses, statements } = await revokeAmong(() =>
    Array.from({ length: crowd }, async () => ({ status: (await app.fastify.inject('/api/health')).statusCode })),
  );
  expect(count(statuses, 200)).toBe(crowd);
  expect(statements).toBeLessThan(40);
});
