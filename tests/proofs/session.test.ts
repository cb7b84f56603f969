import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, type HouseInTest, headersOf, newBrowser, openHouse } from '#tests/support/house.ts';
import { goodPassword, pass, readLetter, readRows, signUpCreator } from '#tests/support/people.ts';
import { countOf, tellProof } from './counts.ts';
import { bodyOf } from './matrix-bodies.ts';
import { listRows } from './matrix-doors.ts';
import { makeWorld, type World } from './matrix-world.ts';
import { signInQuickly } from './quick-sessions.ts';

let house: HouseInTest;
let world: World;
let requests = 0;
beforeAll(async () => {
  house = await openHouse({ workJobs: false });
  world = await makeWorld(house);
}, 120_000);
afterAll(() => house.close());
afterAll(() => tellProof('session', requests, { successes: 0 }));

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

test('R15: no token that is not exactly a good one signs anybody in, as cookie or as bearer', async () => {
  const { browser, userId } = world.a.person;
  const signed = signedOf(browser);
  expect(await whoIs({ authorization: `Bearer ${signed}` })).toBe(userId);
  const taken: string[] = [];
  const forged = fc.sample(changes(signed), { numRuns: countOf(250, 5000), seed: 20_261_121 });
  for (const one of forged.filter((text) => text !== signed)) {
    const asCookie = await whoIs({ cookie: `${cookieName}=${encodeURIComponent(one)}` });
    const asBearer = await whoIs({ authorization: `Bearer ${one.trim() === signed ? 'x' : one}` });
    if (asCookie !== undefined || asBearer !== undefined) taken.push(one);
  }
  expect(taken).toEqual([]);
  for (const scheme of ['', 'Basic ', 'Token ', 'bearer: ', 'Bearer Bearer '])
    expect([scheme, await whoIs({ authorization: `${scheme}${signed}` })]).toEqual([scheme, undefined]);
  for (const name of [
    'session_token',
    'pf.session',
    'PF.SESSION_TOKEN',
    '__Secure-pf.session_token',
    '__Host-pf.session_token',
  ])
    expect([name, await whoIs({ cookie: `${name}=${encodeURIComponent(signed)}` })]).toEqual([name, undefined]);
  expect(await whoIs({ 'x-session-token': signed, 'x-user-id': userId })).toBeUndefined();
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

test('R15: no call of another site’s page does anything in her name, through any door', async () => {
  const { person, things } = world.a;
  const rowsOf = () =>
    readRows(
      house,
      `select (select jsonb_agg(to_jsonb(a) order by id) from albums a) albums, (select jsonb_agg(to_jsonb(l) order by id) from magic_links l) links,
         (select jsonb_agg(to_jsonb(u) order by id) from users u) users, (select jsonb_agg(to_jsonb(s) order by id) from auth_sessions s) sessions,
         (select jsonb_agg(to_jsonb(m) order by id) from media m) media, (select jsonb_agg(to_jsonb(u) order by id) from uploads u) uploads`,
    );
  const browser = await signInQuickly(house, person.userId);
  const cookies = headersOf(browser) as Record<string, string>;
  const before = await rowsOf();
  const done: string[] = [];
  const ask = async (url: string, method: string, headers: Record<string, string>, payload: string) => {
    requests++;
    const answer = await house.app.inject({
      method: method as 'POST',
      url,
      headers: { ...cookies, ...headers },
      payload,
    });
    if (answer.statusCode < 400) done.push(`${method} ${url} ${JSON.stringify(headers)}: ${answer.statusCode}`);
  };
  const rows = listRows();
  for (const { name, method, path } of rows)
    for (const headers of foreign) {
      const input = bodyOf(name, things) as Record<string, unknown>;
      await ask(`/rpc/${name.replace('.', '/')}`, 'POST', headers, JSON.stringify({ json: input }));
      const filled = path.replace(/\{(\w+)\}/g, (_, word: string) => encodeURIComponent(String(input[word])));
      if (method !== 'GET') await ask(`/api/v1${filled}`, method, headers, JSON.stringify(input));
    }
  for (const headers of foreign.slice(0, 3)) {
    await ask(`/api/view/${things.slug}/open`, 'POST', headers, '{}');
    await ask('/api/view/leases', 'POST', headers, JSON.stringify({ visitId: things.visit, items: [] }));
    await ask(
      '/api/media/leases',
      'POST',
      headers,
      JSON.stringify({ items: [{ mediaId: things.medium, rendition: 'p2048' }] }),
    );
    await ask('/files', 'POST', { ...headers, 'tus-resumable': '1.0.0', 'upload-length': '5' }, '');
    await ask(`/files/${things.upload}`, 'DELETE', { ...headers, 'tus-resumable': '1.0.0' }, '');
  }
  expect(rows.length).toBeGreaterThan(40);
  expect(done).toEqual([]);
  expect(await rowsOf()).toEqual(before);
}, 300_000);

test('R15: a stolen token dies with its session, whichever way that ends', async () => {
  const person = await signUpCreator(house);
  const begin = () => signInQuickly(house, person.userId);
  const [own, stolen] = [await begin(), await begin()];
  const thief = copyOf(stolen);
  const { sessions } = (await house.call('accounts.listSessions', {}, stolen)).body;
  const { id } = sessions.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
  expect((await house.call('accounts.endSession', { sessionId: id }, own)).status).toBe(200);
  expect([await isSignedIn(thief), await isSignedIn(own)]).toEqual([false, true]);

  const left = await begin();
  const leftCopy = copyOf(left);
  await house.call('accounts.signOut', {}, left);
  expect([await isSignedIn(leftCopy), await isSignedIn(own)]).toEqual([false, true]);

  const other = copyOf(await begin());
  const changed = await house.call(
    'accounts.changePassword',
    { currentPassword: goodPassword, newPassword: 'four quiet green hills' },
    own,
  );
  expect([changed.status, await isSignedIn(other), await isSignedIn(own)]).toEqual([200, false, true]);

  const everywhere = [await begin(), await begin(), own].map(copyOf);
  await house.call('accounts.signOutEverywhere', {}, own);
  for (const browser of everywhere) expect(await isSignedIn(browser)).toBe(false);

  const late = await begin();
  pass(house, 30 * 86_400_000 - 1);
  expect(await isSignedIn(copyOf(await begin()))).toBe(true);
  pass(house, 1);
  expect(await isSignedIn(late)).toBe(false);
}, 60_000);

test('R15: a letter’s secret is good once, for half an hour, for its purpose, in the browser that asked, and is not stored', async () => {
  const person = await signUpCreator(house);
  const ask = async () => {
    pass(house, 2 * 3_600_000);
    const browser = newBrowser();
    await house.call('accounts.askForPassword', { email: person.email }, browser);
    return { browser, ...(await readLetter(house, person.email)) };
  };
  const set = (proof: object, browser: Browser, more: object = {}) => {
    requests++;
    return house.call('accounts.setPassword', { proof, password: 'five slow white clouds', ...more }, browser);
  };
  const first = await ask();
  expect((await set({ token: first.token }, newBrowser())).status).toBe(409);
  expect((await house.call('accounts.confirm', { token: first.token }, first.browser)).status).toBe(410);
  for (const proof of [
    {},
    { email: person.email },
    { userId: person.userId },
    { token: '' },
    { code: '000000', email: person.email },
  ])
    expect((await set(proof, newBrowser(), { email: person.email })).status).toBeGreaterThanOrEqual(400);
  const kept = JSON.stringify(await readRows(house, 'select to_jsonb(t) from email_tokens t'));
  expect(kept.includes(first.token) || kept.includes(`"${first.code}"`)).toBe(false);
  pass(house, 30 * 60_000);
  expect((await set({ token: first.token }, first.browser)).status).toBe(410);
  const second = await ask();
  pass(house, 30 * 60_000 - 1);
  expect((await set({ token: second.token }, second.browser)).status).toBe(200);
  for (const proof of [{ token: second.token }, { code: second.code }])
    expect((await set(proof, copyOf(second.browser))).status).toBeGreaterThanOrEqual(400);
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
    expect([name, text.includes('evil')]).toEqual([name, false]);
    for (const [address] of text.matchAll(/https?:\/\/\S+/g)) expect(address).toMatch(/^http:\/\/localhost:3000\//);
  }
});
