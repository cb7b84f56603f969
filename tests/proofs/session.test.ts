import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, type HouseInTest, headersOf, newBrowser, openHouse } from '#tests/support/house.ts';
import { goodPassword, type Person, pass, readLetter, readRows, signUpCreator } from '#tests/support/people.ts';
import { breachAt, whileBroken } from './break-house.ts';
import { countOf, tellProof } from './counts.ts';
import { bodyOf } from './matrix-bodies.ts';
import { listRows, type MatrixRow } from './matrix-doors.ts';
import { makeWorld, type World } from './matrix-world.ts';
import { signInQuickly } from './quick-sessions.ts';

let house: HouseInTest;
let world: World;
let requests = 0;
/** Of what must not work, how often it did. */
let successes = 0;
const expectNone = (done: readonly string[]) => {
  successes += done.length;
  expect(done).toEqual([]);
};
beforeAll(async () => {
  house = await openHouse({ workJobs: false });
  world = await makeWorld(house);
}, 120_000);
afterAll(() => house.close());
afterAll(() => tellProof('session', requests, { successes }));

const cookieName = 'pf.session_token';
const signedOf = ({ cookies }: Browser) => decodeURIComponent(cookies.get(cookieName) ?? '');
const whoIs = async (headers: Record<string, string>): Promise<string | undefined> => {
  requests++;
  const answer = await house.app.inject({ method: 'GET', url: '/api/me', headers });
  expect(answer.statusCode).toBe(200);
  return answer.json().user?.id;
};
const isSignedIn = async ({ cookies }: Browser) =>
  (await whoIs(headersOf({ cookies: new Map(cookies) }) as Record<string, string>)) !== undefined;
const copyOf = ({ cookies }: Browser): Browser => ({ ...newBrowser(), cookies: new Map(cookies) });

/** Ways to make another token out of a good one; none may be anybody's. */
const changes = (signed: string): fc.Arbitrary<string> => {
  const at = signed.lastIndexOf('.');
  const [token, signature] = [signed.slice(0, at), signed.slice(at + 1)];
  const letter = fc.constantFrom(...'abcXYZ019+/=._-%');
  return fc.oneof(
    fc.tuple(fc.nat(signed.length - 1), letter).map(([n, one]) => `${signed.slice(0, n)}${one}${signed.slice(n + 1)}`),
    fc.nat(signed.length - 1).map((length) => signed.slice(0, length)),
    fc.tuple(letter, fc.boolean()).map(([one, isBefore]) => (isBefore ? `${one}${signed}` : `${signed}${one}`)),
    fc.string({ unit: 'grapheme-ascii', maxLength: 60 }).map((text) => `${text}.${signature}`),
    fc.base64String({ minLength: 44, maxLength: 44 }).map((text) => `${token}.${text}`),
    fc.constantFrom(
      token,
      `${token}.`,
      `.${signature}`,
      `${token}.${token}`,
      `${signature}.${token}`,
      `${token}..${signature}`,
      signed.toLowerCase(),
      signed.toUpperCase(),
      'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.',
      'null',
      'undefined',
      '[object Object]',
    ),
  );
};

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

test('R15: no token that is not exactly a good one signs anybody in, as cookie or as bearer', async () => {
  const { browser, userId } = world.a.person;
  const signed = signedOf(browser);
  expect(await whoIs({ authorization: `Bearer ${signed}` })).toBe(userId);
  const forged = fc.sample(changes(signed), { numRuns: countOf(250, 5000), seed: 20_261_121 });
  // Blanks around a bearer token are no part of it.
  expectNone(await findTaken(forged.filter((text) => text.trim() !== signed)));
  const misplaced: Record<string, string>[] = [
    ...['', 'Basic ', 'Token ', 'bearer: ', 'Bearer Bearer '].map((scheme) => ({
      authorization: `${scheme}${signed}`,
    })),
    ...['session_token', 'pf.session', 'PF.SESSION_TOKEN', '__Secure-pf.session_token', '__Host-pf.session_token'].map(
      (name) => ({ cookie: `${name}=${encodeURIComponent(signed)}` }),
    ),
    { 'x-session-token': signed, 'x-user-id': userId },
  ];
  const known: string[] = [];
  for (const headers of misplaced) if ((await whoIs(headers)) !== undefined) known.push(JSON.stringify(headers));
  expectNone(known);
  expect((await house.app.inject(`/api/me?${cookieName}=${encodeURIComponent(signed)}`)).json().user).toBeNull();
});

test('R15: every sign-in makes a new session, and what an attacker planted before is never it', async () => {
  const { email } = world.b.person;
  const mine = await signInQuickly(house, world.a.person.userId);
  for (const planted of [signedOf(mine), 'a'.repeat(32), `${'a'.repeat(32)}.${'b'.repeat(44)}`, '']) {
    const browser = newBrowser();
    browser.cookies.set(cookieName, encodeURIComponent(planted));
    const { status } = await house.call('accounts.signIn', { email, password: goodPassword }, browser);
    requests++;
    expect(status).toBe(200);
    expect(signedOf(browser)).not.toBe(planted);
    expect(await whoIs({ authorization: `Bearer ${planted}` })).toBeUndefined();
    expect(await isSignedIn(browser)).toBe(true);
  }
});

/** Another site's page: the browser sends the cookies along, and says where the call comes from. */
const foreign = [
  { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' },
  { origin: 'null', 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' },
  { referer: 'https://evil.example/', 'content-type': 'multipart/form-data; boundary=x' },
];

const rowsOf = () =>
  readRows(
    house,
    `select (select jsonb_agg(to_jsonb(a) order by id) from albums a) albums, (select jsonb_agg(to_jsonb(l) order by id) from magic_links l) links,
       (select jsonb_agg(to_jsonb(u) order by id) from users u) users, (select jsonb_agg(to_jsonb(s) order by id) from auth_sessions s) sessions,
       (select jsonb_agg(to_jsonb(m) order by id) from media m) media, (select jsonb_agg(to_jsonb(u) order by id) from uploads u) uploads`,
  );

/** Calls procedures through both doors and raw routes as a page does whose calls look so. @returns those that were not refused */
async function callFrom(
  browser: Browser,
  pages: readonly Record<string, string>[],
  rows: readonly MatrixRow[],
): Promise<string[]> {
  const { things } = world.a;
  const cookies = headersOf(browser) as Record<string, string>;
  const done: string[] = [];
  const ask = async (url: string, method: string, headers: Record<string, string>, body: object | string) => {
    requests++;
    const payload = typeof body === 'string' ? body : JSON.stringify(body);
    const all = { ...cookies, ...headers };
    const answer = await house.app.inject({ method: method as 'POST', url, headers: all, payload });
    if (answer.statusCode < 400) done.push(`${method} ${url} ${JSON.stringify(headers)}: ${answer.statusCode}`);
  };
  for (const { name, method, path } of rows)
    for (const headers of pages) {
      const input = bodyOf(name, things) as Record<string, unknown>;
      await ask(`/rpc/${name.replace('.', '/')}`, 'POST', headers, { json: input });
      const filled = path.replace(/\{(\w+)\}/g, (_, word: string) => encodeURIComponent(String(input[word])));
      if (method !== 'GET') await ask(`/api/v1${filled}`, method, headers, input);
    }
  for (const headers of pages.slice(0, 3)) {
    const tus = { ...headers, 'tus-resumable': '1.0.0' };
    await ask(`/api/view/${things.slug}/open`, 'POST', headers, '{}');
    await ask('/api/view/leases', 'POST', headers, { visitId: things.visit, items: [] });
    await ask('/api/media/leases', 'POST', headers, { items: [{ mediaId: things.medium, rendition: 'p2048' }] });
    await ask('/files', 'POST', { ...tus, 'upload-length': '5' }, '');
    await ask(`/files/${things.upload}`, 'DELETE', tus, '');
  }
  return done;
}

test('R15: no call of another site’s page does anything in her name, through any door', async () => {
  const rows = listRows();
  expect(rows.length).toBeGreaterThan(40);
  const browser = await signInQuickly(house, world.a.person.userId);
  const before = await rowsOf();
  expectNone(await callFrom(browser, foreign, rows));
  expect(await rowsOf()).toEqual(before);
}, 300_000);

const stolen = { one: 'a session that was ended', own: 'a session that was signed out', all: 'a session of before' };
const leftBy = async (ended: Readonly<Record<string, Browser>>): Promise<string[]> => {
  const left: string[] = [];
  for (const [what, browser] of Object.entries(ended)) if (await isSignedIn(copyOf(browser))) left.push(what);
  return left;
};

/** Ends sessions of a person one by one and all together. @returns those whose copied token still signs in */
async function endSessions({ userId }: Person): Promise<string[]> {
  const begin = () => signInQuickly(house, userId);
  const [own, one, left, all] = [await begin(), await begin(), await begin(), await begin()];
  const copies = { [stolen.one]: copyOf(one), [stolen.own]: copyOf(left) };
  const { sessions } = (await house.call('accounts.listSessions', {}, one)).body;
  const { id } = sessions.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
  await house.call('accounts.endSession', { sessionId: id }, own);
  await house.call('accounts.signOut', {}, left);
  const found = await leftBy(copies);
  expect(await isSignedIn(own)).toBe(true);
  const everybody = copyOf(all);
  await house.call('accounts.signOutEverywhere', {}, own);
  return [...found, ...(await leftBy({ [stolen.all]: everybody }))];
}

test('R15, planted: a good token, a call of our own page, sessions that do not end and a letter that lasts are found', async () => {
  const browser = await signInQuickly(house, world.a.person.userId);
  const signed = signedOf(browser);
  expect(await findTaken([`${signed}x`, signed])).toEqual([signed]);
  const own = { origin: 'http://localhost:3000', 'content-type': 'application/json', 'x-csrf-token': 'orpc' };
  const before = await rowsOf();
  const done = await callFrom(
    browser,
    [own],
    listRows().filter(({ name }) => name === 'albums.create'),
  );
  expect(done.map((one) => one.split(' ')[1])).toEqual(
    expect.arrayContaining(['/rpc/albums/create', '/api/v1/albums', '/api/media/leases']),
  );
  expect(await rowsOf()).not.toEqual(before);
  const lasting = breachAt('before delete', 'auth_sessions', 'return null;');
  const left = await whileBroken(house, lasting, async () => endSessions(await signUpCreator(house)));
  expect(left).toEqual(Object.values(stolen));
  const endless = breachAt('before update', 'email_tokens', 'new.used_at := null; return new;');
  const letter = await askForLetter(await signUpCreator(house));
  expect(await whileBroken(house, endless, () => useAgain(letter))).toContain('token');
}, 60_000);

test('R15: a stolen token dies with its session, whichever way that ends', async () => {
  const person = await signUpCreator(house);
  expectNone(await endSessions(person));
  const begin = () => signInQuickly(house, person.userId);
  const [own, other] = [await begin(), await begin()];
  const passwords = { currentPassword: goodPassword, newPassword: 'four quiet green hills' };
  expect((await house.call('accounts.changePassword', passwords, own)).status).toBe(200);
  expectNone(await leftBy({ 'a session of the old password': other }));
  expect(await isSignedIn(own)).toBe(true);

  const late = await begin();
  pass(house, 30 * 86_400_000 - 1);
  expect(await isSignedIn(copyOf(await begin()))).toBe(true);
  pass(house, 1);
  expectNone(await leftBy({ 'a session of 30 days': late }));
}, 60_000);

/** A letter for a new password, by the browser that asked for it. */
async function askForLetter({ email }: Person) {
  pass(house, 2 * 3_600_000);
  const browser = newBrowser();
  await house.call('accounts.askForPassword', { email }, browser);
  return { browser, ...(await readLetter(house, email)) };
}
const setPassword = async (proof: object, browser: Browser, more: object = {}) => {
  requests++;
  return (await house.call('accounts.setPassword', { proof, password: 'five slow white clouds', ...more }, browser))
    .status;
};

/** Uses a letter, and then again in every way. @returns the ways that worked */
async function useAgain({ browser, token, code }: Awaited<ReturnType<typeof askForLetter>>): Promise<string[]> {
  expect(await setPassword({ token }, browser)).toBe(200);
  const again: string[] = [];
  for (const [how, proof] of Object.entries({ token: { token }, code: { code } }))
    if ((await setPassword(proof, copyOf(browser))) < 400) again.push(how);
  return again;
}

test('R15: a letter’s secret is good once, for half an hour, for its purpose, in the browser that asked, and is not stored', async () => {
  const person = await signUpCreator(house);
  const first = await askForLetter(person);
  expect(await setPassword({ token: first.token }, newBrowser())).toBe(409);
  expect((await house.call('accounts.confirm', { token: first.token }, first.browser)).status).toBe(410);
  const { email, userId } = person;
  for (const proof of [{}, { email }, { userId }, { token: '' }, { code: '000000', email }])
    expect(await setPassword(proof, newBrowser(), { email })).toBeGreaterThanOrEqual(400);
  const kept = JSON.stringify(await readRows(house, 'select to_jsonb(t) from email_tokens t'));
  expect(kept.includes(first.token) || kept.includes(`"${first.code}"`)).toBe(false);
  pass(house, 30 * 60_000);
  expect(await setPassword({ token: first.token }, first.browser)).toBe(410);
  const second = await askForLetter(person);
  pass(house, 30 * 60_000 - 1);
  expectNone(await useAgain(second));
}, 60_000);

test('R15: letters lead to this house alone, whatever the caller says its name is', async () => {
  const names = [
    'host',
    'x-forwarded-host',
    'x-host',
    'forwarded',
    'x-forwarded-server',
    'x-original-url',
    'origin',
    'referer',
  ];
  for (const [n, name] of names.entries()) {
    const email = `poison-${n}@example.com`;
    const value =
      name === 'forwarded' ? 'host=evil.example' : name === 'host' ? 'evil.example' : 'https://evil.example';
    requests++;
    await house.call('accounts.signUp', { email, isAdult: true }, newBrowser({ [name]: value }));
    const { text } = await readLetter(house, email);
    expectNone(text.includes('evil') ? [name] : []);
    for (const [address] of text.matchAll(/https?:\/\/\S+/g)) expect(address).toMatch(/^http:\/\/localhost:3000\//);
  }
});
