import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { RouteOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { safeReturnTo } from '#features/accounts/rules.ts';
import { collectRoutes } from '#tests/support/collect-routes.ts';
import {
  advance,
  goodPassword,
  type Person,
  readEmail,
  readRows,
  signInQuickly,
  signUpCreator,
} from '#tests/support/people.ts';
import { type Browser, elsewhere, headersOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { countOf, guards, printProof } from '../counts.ts';
import { breachAt, whileBroken } from '../crashes/break-installation.ts';
import { withoutSuccess } from '../headers/listener.ts';
import { fingerprint } from '../judging/authorization.ts';
import { changes, elsewheres, leadAway, misplacedOf } from '../viewers/session-words.ts';
import { bodyOf } from './bodies.ts';
import {
  Blindfold,
  type Called,
  callProcedures,
  callRoutes,
  foreign,
  listChanging,
  old,
  ownPage,
  readingOf,
} from './foreign-pages.ts';
import { listProcedures } from './procedures.ts';
import { namesOf } from './routes.ts';
import { openWorld, type World } from './world.ts';

guards('src/features/accounts/**', 'src/wire/**', 'src/app/server/server.ts', 'tests/proofs/judging/**');

let app: TestApp;
let world: World;
let routes: RouteOptions[];
const blindfold = new Blindfold('http://localhost:3000');
let requests = 0;
/** Of what must not work, how often it did. */
let successes = 0;
const expectNone = (done: readonly string[]) => {
  successes += done.length;
  expect(done).toEqual([]);
};
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  blindfold.standBefore(app.fastify);
  world = await openWorld(app, { hasActors: false });
  routes = await collectRoutes(app.engines);
});
afterAll(() => app.close());
afterAll(() => printProof('session', requests, { successes }));

const cookieName = 'pf.session_token';
const signedOf = ({ cookies }: Browser) => decodeURIComponent(cookies.get(cookieName) ?? '');
const whoIs = async (headers: Record<string, string>): Promise<string | undefined> => {
  requests++;
  const answer = await app.fastify.inject({ method: 'GET', url: '/api/me', headers });
  expect(answer.statusCode).toBe(200);
  return answer.json().user?.id;
};
const isSignedIn = async ({ cookies }: Browser) =>
  (await whoIs(headersOf({ cookies: new Map(cookies) }) as Record<string, string>)) !== undefined;

/** Which of many tokens are somebody's, as cookie or as bearer. */
async function findTaken(tokens: readonly string[]): Promise<string[]> {
  const taken: string[] = [];
  for (const one of tokens) {
    const asCookie = await whoIs({ cookie: `${cookieName}=${encodeURIComponent(one)}` });
    const asBearer = await whoIs({ authorization: `Bearer ${one}` });
    if (asCookie !== undefined || asBearer !== undefined) taken.push(one);
  }
  return taken;
}

test('no token that is not exactly a good one signs anybody in, as cookie or as bearer', async () => {
  const { browser, userId } = world.a.person;
  const signed = signedOf(browser);
  expect(await whoIs({ authorization: `Bearer ${signed}` })).toBe(userId);
  const forged = fc.sample(changes(signed), { numRuns: countOf(250, 5000), seed: 20_261_121 });
  // Blanks around a bearer token are no part of it.
  expectNone(await findTaken(forged.filter((text) => text.trim() !== signed)));
  const known: string[] = [];
  for (const headers of misplacedOf(signed, userId))
    if ((await whoIs(headers)) !== undefined) known.push(JSON.stringify(headers));
  expectNone(known);
  expect((await app.fastify.inject(`/api/me?${cookieName}=${encodeURIComponent(signed)}`)).json().user).toBeNull();
});

test('every sign-in makes a new session, and what an attacker planted before is never it', async () => {
  const { email } = world.b.person;
  const mine = await signInQuickly(app, world.a.person.userId);
  for (const planted of [signedOf(mine), 'a'.repeat(32), `${'a'.repeat(32)}.${'b'.repeat(44)}`, '']) {
    const browser = newBrowser();
    browser.cookies.set(cookieName, encodeURIComponent(planted));
    const { status } = await app.call('accounts.signIn', { email, password: goodPassword }, browser);
    requests++;
    expect(status).toBe(200);
    expect(signedOf(browser)).not.toBe(planted);
    expect(await whoIs({ authorization: `Bearer ${planted}` })).toBeUndefined();
    expect(await isSignedIn(browser)).toBe(true);
  }
});

/** Her browser, in which she also looks at a link of her own. */
async function openBoth(): Promise<Browser> {
  const browser = await signInQuickly(app, world.a.person.userId);
  for (const [name, value] of world.a.viewer.cookies) browser.cookies.set(name, value);
  return browser;
}
const theSame = async () => world.a.things;
/** An upload is spent by whoever succeeds with it. */
const another = async () => ({ ...world.a.things, upload: await world.begin('A') });
/** Raw routes that change something for somebody. */
const listGiving = () => listChanging(routes).filter((name) => !withoutSuccess.has(name) && !isForAdmins(name));
/** She is a creator, and an administrator's own proofs are elsewhere. */
const isForAdmins = (name: string) =>
  routes.some((route) => namesOf(route).includes(name) && route.config?.who?.join() === 'admin');
/** The names of what was not refused. */
function takeIn({ done, requests: sent }: Called): string[] {
  requests += sent;
  return [...new Set(done.map(({ name }) => name))];
}

test("no call of another site's page does anything in her name, through any door or raw route", async () => {
  const procedures = listProcedures();
  expect(procedures.length).toBeGreaterThan(40);
  const [browser, before] = [await openBoth(), await fingerprint(world)];
  const done: string[] = [];
  for (const page of [...foreign, old]) {
    done.push(...takeIn(await callProcedures(world, { procedures, routes }, { browser, page })));
    done.push(...takeIn(await callRoutes(world, listChanging(routes), { browser, page }, theSame)));
  }
  expectNone(done);
  expect(await fingerprint(world)).toEqual(before);
});

test("raw routes that refuse another site's page do what ours asks: it was the page that was refused", async () => {
  const names = listGiving();
  expect(names.length).toBeGreaterThan(10);
  const called = await callRoutes(world, names, { browser: await openBoth(), page: ownPage }, another);
  expect(takeIn(called).toSorted()).toEqual(names.toSorted());
});

test('a call that reads does nothing that writes, of our own page neither', async () => {
  const headers = { ...headersOf(await openBoth()), ...ownPage } as Record<string, string>;
  const done: string[] = [];
  for (const procedure of listProcedures()) {
    const url = readingOf(procedure, bodyOf(procedure.name, world.a.things));
    requests++;
    if ((await app.fastify.inject({ method: 'GET', url, headers })).statusCode < 400) done.push(procedure.name);
  }
  const reading = listProcedures().flatMap(({ name, method }) => (method === 'GET' ? [name] : []));
  expect(done).toContain('albums.list');
  expectNone(done.filter((name) => !reading.includes(name)));
});

test('planted: raw routes that take every page for our own are found, each of them', async () => {
  // What is for developers is asked without a connection, before which nobody stands.
  const names = listGiving().filter((name) => !name.includes(' /dev/'));
  const caller = { browser: await openBoth(), page: foreign[0] ?? old };
  expect(takeIn(await callRoutes(world, names, caller, another))).toEqual([]);
  blindfold.isOn = true;
  const called = await callRoutes(world, names, caller, another);
  blindfold.isOn = false;
  expect(takeIn(called).toSorted()).toEqual(names.toSorted());
  const planted = [{ method: 'POST', url: '/api/planted' }] as unknown as RouteOptions[];
  await expect(callRoutes(world, listChanging(planted), caller, another)).rejects.toThrow('Give POST /api/planted');
});

const stolen = { one: 'a session that was ended', own: 'a session that was signed out', all: 'a session of before' };
const leftBy = async (ended: Readonly<Record<string, Browser>>): Promise<string[]> => {
  const left: string[] = [];
  for (const [what, browser] of Object.entries(ended)) if (await isSignedIn(elsewhere(browser))) left.push(what);
  return left;
};

/** Ends sessions of a person one by one and all together. @returns those whose copied token still signs in */
async function endSessions({ userId }: Person): Promise<string[]> {
  const begin = () => signInQuickly(app, userId);
  const [own, one, left, all] = [await begin(), await begin(), await begin(), await begin()];
  const copies = { [stolen.one]: elsewhere(one), [stolen.own]: elsewhere(left) };
  const { sessions } = (await app.call('accounts.listSessions', {}, one)).body;
  const { id } = sessions.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
  await app.call('accounts.endSession', { sessionId: id }, own);
  await app.call('accounts.signOut', {}, left);
  const found = await leftBy(copies);
  expect(await isSignedIn(own)).toBe(true);
  const everybody = elsewhere(all);
  await app.call('accounts.signOutEverywhere', {}, own);
  return [...found, ...(await leftBy({ [stolen.all]: everybody }))];
}

test('planted: a good token, a call of our own page, sessions that do not end and an email that lasts are found', async () => {
  const browser = await signInQuickly(app, world.a.person.userId);
  const signed = signedOf(browser);
  expect(await findTaken([`${signed}x`, signed])).toEqual([signed]);
  const before = await fingerprint(world);
  const procedures = listProcedures().filter(({ name }) => ['albums.create', 'albums.list'].includes(name));
  const called = await callProcedures(world, { procedures, routes }, { browser, page: ownPage });
  expect(takeIn(called)).toEqual(
    expect.arrayContaining(['POST /rpc/albums/create', 'POST /api/v1/albums', 'GET /rpc/albums/list']),
  );
  expect((await fingerprint(world)).albums).not.toBe(before.albums);
  const lasting = breachAt('before delete', 'auth_sessions', 'return null;');
  const left = await whileBroken(app, lasting, async () => endSessions(await signUpCreator(app)));
  expect(left).toEqual(Object.values(stolen));
  const endless = breachAt('before update', 'email_tokens', 'new.used_at := null; return new;');
  const email = await askForEmail(await signUpCreator(app));
  expect(await whileBroken(app, endless, () => useAgain(email))).toContain('token');
});

test('a stolen token dies with its session, whichever way that ends', async () => {
  const person = await signUpCreator(app);
  expectNone(await endSessions(person));
  const begin = () => signInQuickly(app, person.userId);
  const [own, other] = [await begin(), await begin()];
  const passwords = { currentPassword: goodPassword, newPassword: 'four quiet green hills' };
  expect((await app.call('accounts.changePassword', passwords, own)).status).toBe(200);
  expectNone(await leftBy({ 'a session of the old password': other }));
  expect(await isSignedIn(own)).toBe(true);

  const late = await begin();
  advance(app, 30 * 86_400_000 - 1);
  expect(await isSignedIn(elsewhere(await begin()))).toBe(true);
  advance(app, 1);
  expectNone(await leftBy({ 'a session of 30 days': late }));
});

/** An email for a new password, by the browser that asked for it. */
async function askForEmail({ email }: Person) {
  advance(app, 2 * 3_600_000);
  const browser = newBrowser();
  await app.call('accounts.askForPassword', { email }, browser);
  return { browser, ...(await readEmail(app, email)) };
}
const setPassword = async (proof: object, browser: Browser, more: object = {}) => {
  requests++;
  return (await app.call('accounts.setPassword', { proof, password: 'five slow white clouds', ...more }, browser))
    .status;
};

/** Uses an email, and then again in every way. @returns the ways that worked */
async function useAgain({ browser, token, code }: Awaited<ReturnType<typeof askForEmail>>): Promise<string[]> {
  expect(await setPassword({ token }, browser)).toBe(200);
  const again: string[] = [];
  for (const [how, proof] of Object.entries({ token: { token }, code: { code } }))
    if ((await setPassword(proof, elsewhere(browser))) < 400) again.push(how);
  return again;
}

test("an email's secret is good once, for half an hour, for its purpose, in the browser that asked, and is not stored", async () => {
  const person = await signUpCreator(app);
  const first = await askForEmail(person);
  expect(await setPassword({ token: first.token }, newBrowser())).toBe(409);
  expect((await app.call('accounts.confirm', { token: first.token }, first.browser)).status).toBe(410);
  const { email, userId } = person;
  for (const proof of [{}, { email }, { userId }, { token: '' }, { code: '000000', email }])
    expect(await setPassword(proof, newBrowser(), { email })).toBeGreaterThanOrEqual(400);
  const kept = JSON.stringify(await readRows(app, 'select to_jsonb(t) from email_tokens t'));
  expect(kept.includes(first.token) || kept.includes(`"${first.code}"`)).toBe(false);
  advance(app, 30 * 60_000);
  expect(await setPassword({ token: first.token }, first.browser)).toBe(410);
  const second = await askForEmail(person);
  advance(app, 30 * 60_000 - 1);
  expectNone(await useAgain(second));
});

test('emails lead to this installation alone, whatever the caller says its name is', async () => {
  const names = ['host', 'x-forwarded-host', 'x-host', 'forwarded', 'x-forwarded-server', 'x-original-url', 'referer'];
  for (const [n, name] of names.entries()) {
    const email = `poison-${n}@example.com`;
    const value =
      name === 'forwarded' ? 'host=evil.example' : name === 'host' ? 'evil.example' : 'https://evil.example';
    requests++;
    await app.call('accounts.signUp', { email, isAdult: true }, newBrowser({ [name]: value }));
    const { text } = await readEmail(app, email);
    expectNone(text.includes('evil') ? [name] : []);
    for (const [address] of text.matchAll(/https?:\/\/\S+/g)) expect(address).toMatch(/^http:\/\/localhost:3000\//);
  }
});

test('signed in, nobody is led to another site, whatever stands behind the address of the door', () => {
  const all = fc.sample(elsewheres, { numRuns: countOf(2000, 100_000), seed: 20_261_124 });
  requests += all.length;
  expectNone(leadAway(safeReturnTo, all));
  const onlyByItsFirstLetter = (wanted: string | null) => (wanted?.startsWith('/') ? wanted : undefined);
  expect(leadAway(onlyByItsFirstLetter, all)).toEqual(expect.arrayContaining(['//evil.example', '/\\evil.example']));
  // Every page that goes where it was told to asks that way back.
  const asking = globSync('src/**/*.tsx').filter((file) => readFileSync(file, 'utf8').includes(".get('returnTo')"));
  const unasked = asking.filter((file) => !readFileSync(file, 'utf8').includes("safeReturnTo(search.get('returnTo')"));
  // The forms only hand it on.
  expect([asking.length, unasked]).toEqual([5, ['src/features/accounts/pages/sign-in-form.tsx']]);
});
