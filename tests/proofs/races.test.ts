import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, type HouseInTest, headersOf, newBrowser, openHouse } from '#tests/support/house.ts';
import { paintJpeg } from '#tests/support/paint.ts';
import { confirmPerson, goodPassword, pass, readLetter, readRows, signUpCreator } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { breachAt, whileBroken } from './break-house.ts';
import { countOf, tellProof } from './counts.ts';
import { signInQuickly } from './quick-sessions.ts';

let house: HouseInTest;
let shared: SharedAlbum;
beforeAll(async () => {
  house = await openHouse({ workJobs: false });
  shared = await shareAlbum(house, { count: 1 });
}, 120_000);
afterAll(() => house.close());

/** As many at the same moment; over the wire each on a socket of its own, so that none waits behind another. */
const many = countOf(25, 200);
/** How often each of the seven races is run that can be run anew: 1,000 times in all with `--full`. */
const rounds = countOf(1, 15, 143);
const copyOf = ({ cookies }: Browser): Browser => ({ ...newBrowser(), cookies: new Map(cookies) });
/** The same call by many at the same moment, each from a browser with the same cookies. */
const atOnce = <T>(count: number, ask: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => ask(n)));
const succeeded = (answers: readonly { status: number }[]) => answers.filter(({ status }) => status === 200).length;
/** Bugs; a machine that is too busy says 503, which lets nobody in either. */
const failed = (answers: readonly { status: number }[]) =>
  answers.filter(({ status }) => status >= 500 && status !== 503).length;
const count = async (text: string, values: unknown[]) => Number((await readRows(house, text, values))[0]?.n);

let requests = 0;
let races = 0;
/** One race: something that many want at once, and exactly so many get. */
const note = (sent: number) => {
  requests += sent;
  races++;
};
afterAll(() => tellProof('races', requests, { atOnce: many, races }));

/** Lets many strangers tap a new link at once. @returns how many got in by their answers and by the rows, and the bugs */
async function crowdOnto(rules: object) {
  const { id, slug } = await shared.makeLink(rules);
  const answers = await atOnce(many, () => shared.salon.tap(slug, { firstScreen: 0 }, newBrowser()));
  note(many);
  const seated = await count('select count(*) n from link_viewers where link_id = $1', [id]);
  return { letIn: answers.filter(({ head }) => head !== undefined).length, seated, failed: failed(answers) };
}

test('R10: of many strangers exactly one gets onto a one-person link, and exactly as many as there are places onto others', async () => {
  for (let round = 0; round < rounds; round++)
    for (const [rules, places] of [
      [{ bindFirstViewer: true }, 1],
      [{ maxViewers: 7 }, 7],
    ] as const)
      expect(await crowdOnto(rules)).toEqual({ letIn: places, seated: places, failed: 0 });
});

/** Lets one viewer tap on many screens at once who may come one more time. @returns how many visits began, and the bugs */
async function tapTogether(secret: string) {
  const { slug } = await shared.makeLink({ maxVisits: 1 });
  const viewer = newBrowser();
  viewer.cookies.set('pf_viewer', secret);
  const answers = await atOnce(many, () => shared.salon.tap(slug, { firstScreen: 0 }, copyOf(viewer)));
  note(many);
  return [new Set(answers.flatMap(({ head }) => head?.visitId ?? [])).size, failed(answers)];
}

test('R10: the last visit of a viewer is begun once, on however many screens they tap', async () => {
  for (let round = 0; round < rounds; round++)
    expect(await tapTogether(randomBytes(32).toString('base64url'))).toEqual([1, 0]);
});

/** Lets many confirm one address by the same letter. @returns how many came in, how many sessions there are, the bugs and other codes */
async function confirmTogether(how: 'token' | 'code', email: string) {
  const asking = newBrowser();
  await house.call('accounts.signUp', { email, isAdult: true }, asking);
  const letter = await readLetter(house, email);
  const answers = await atOnce(many, () =>
    house.call('accounts.confirm', { [how]: letter[how] }, { ...copyOf(asking), ...newAddress() }),
  );
  note(many);
  const known = ['GONE', 'CONFLICT', 'VALIDATION', 'RATE_LIMITED', 'UNAVAILABLE'];
  const codes = answers.flatMap(({ status, body }) => (status === 200 ? [] : [body.code]));
  const owners = 'select count(*) n from auth_sessions s join users u on u.id = s.user_id where u.email = $1';
  const sessions = await count(owners, [email]);
  return {
    cameIn: succeeded(answers),
    sessions,
    failed: failed(answers),
    odd: codes.filter((code) => !known.includes(code)),
  };
}

test('R10: a mailed link and its code let exactly one in, whoever of many is first', async () => {
  for (let round = 0; round < rounds; round++)
    for (const how of ['token', 'code'] as const)
      expect([how, await confirmTogether(how, `race-${how}-${round}@example.com`)]).toEqual([
        how,
        { cameIn: 1, sessions: 1, failed: 0, odd: [] },
      ]);
});

test('R10, planted: places and letters that are never used up let more in, and it is found', async () => {
  const endless = {
    places: breachAt('before update', 'magic_links', 'new.places_taken := 0; return new;'),
    letters: breachAt('before update', 'email_tokens', 'new.used_at := null; return new;'),
  };
  const before = races;
  const { letIn, seated } = await whileBroken(house, endless.places, () => crowdOnto({ maxViewers: 7 }));
  expect([letIn > 7, seated]).toEqual([true, letIn]);
  const letter = await whileBroken(house, endless.letters, () => confirmTogether('token', 'race-planted@example.com'));
  expect(letter.cameIn).toBeGreaterThan(1);
  races = before; // these are no races to be won
}, 60_000);

let addresses = 0;
/** An address of its own: a network that tries very often is made to wait. */
const newAddress = () => ({ address: `10.77.${(++addresses >> 8) & 255}.${addresses & 255}` });

test('R10: a forgotten password is set once by one letter', async () => {
  const { email, userId } = await signUpCreator(house);
  pass(house, 3_600_000);
  const asking = newBrowser();
  await house.call('accounts.askForPassword', { email }, asking);
  const { token } = await readLetter(house, email);
  const few = Math.min(many, 40);
  const answers = await atOnce(few, (n) =>
    house.call(
      'accounts.setPassword',
      { proof: { token }, password: `${goodPassword} ${n}` },
      { ...copyOf(asking), ...newAddress() },
    ),
  );
  note(few);
  expect([succeeded(answers), failed(answers)]).toEqual([1, 0]);
  expect(await count('select count(*) n from auth_sessions where user_id = $1', [userId])).toBe(1);
  const winner = answers.findIndex(({ status }) => status === 200);
  const signIn = await house.call('accounts.signIn', { email, password: `${goodPassword} ${winner}` }, newBrowser());
  expect(signIn.status).toBe(200);
}, 120_000);

test('R10: a set-up that is finished many times gives one trial, and a handle has one owner', async () => {
  const people = await Promise.all(Array.from({ length: 3 }, () => confirmPerson(house)));
  const handle = `wanted_${Date.now().toString(36)}`;
  for (const { browser } of people) await house.call('accounts.setUpPassword', { password: goodPassword }, browser);
  const profile = { displayName: 'Mia', handle, country: 'DE', timeZone: 'Europe/Berlin' };
  const claims = await atOnce(many, (n) =>
    house.call('accounts.setUpProfile', profile, copyOf(people[n % people.length]?.browser ?? newBrowser())),
  );
  note(many);
  expect(failed(claims)).toBe(0);
  expect(await count('select count(*) n from users where handle = $1', [handle])).toBe(1);
  const owner = people[claims.findIndex(({ status }) => status === 200) % people.length];
  if (owner === undefined) throw new Error('nobody got the handle');
  const consent = { birthDate: '1994-05-01', acceptsTerms: true, acceptsContentPolicy: true };
  await house.call('accounts.setUpConsent', consent, owner.browser);
  const finished = await atOnce(many, () => house.call('accounts.finishSetup', {}, copyOf(owner.browser)));
  note(many);
  expect([succeeded(finished) >= 1, failed(finished)]).toEqual([true, 0]);
  const [row] = await readRows(house, 'select trial_ends_at from users where id = $1', [owner.userId]);
  expect(row?.trial_ends_at).toEqual(new Date(house.engines.clock() + 7 * 86_400_000));
}, 120_000);

test('R10: revoke, undo and extend, all at once and many times, end in one state that the audit tells', async () => {
  const { creator, makeLink } = shared;
  for (let round = 0; round < rounds; round++) {
    const { id } = await makeLink();
    const answers = await atOnce(many, (n) => {
      const browser = copyOf(creator.browser);
      if (n % 3 === 0) return house.call('links.revoke', { linkIds: [id] }, browser);
      if (n % 3 === 1) return house.call('links.undoRevoke', { linkIds: [id] }, browser);
      return house.call('links.extend', { linkIds: [id], expiry: { kind: 'never' } }, browser);
    });
    note(many);
    expect(answers.filter(({ status }) => status >= 500 && status !== 503)).toEqual([]);
    const [link] = await readRows(house, 'select is_revoked, revoked_at, undo_until from magic_links where id = $1', [
      id,
    ]);
    const deeds = await readRows(
      house,
      "select action from audit_log where target_id = $1 and action in ('link.revoked', 'link.revived') order by id",
      [id],
    );
    const actions = deeds.map(({ action }) => action);
    expect(actions.filter((action, n) => action === actions[n - 1])).toEqual([]);
    expect(actions.at(-1) === 'link.revoked').toBe(link?.is_revoked);
    expect(link?.revoked_at !== null).toBe(link?.is_revoked);
  }
});

/** Lets many change a new link who all saw the same version. */
async function changeTogether() {
  const { creator, makeLink } = shared;
  const { id } = await makeLink();
  const { policyVersion } = (await house.call('links.one', { linkId: id }, creator.browser)).body;
  const answers = await atOnce(many, (n) =>
    house.call(
      'links.update',
      { linkId: id, policyVersion, rules: { maxViewers: n + 1, ageGate: false } },
      copyOf(creator.browser),
    ),
  );
  note(many);
  const odd = answers.filter(({ status }) => ![200, 409, 503].includes(status)).length;
  return { changed: succeeded(answers), failed: failed(answers), odd };
}

test('R10: a changed link is changed by one of many who saw the same version', async () => {
  for (let round = 0; round < rounds; round++)
    expect(await changeTogether()).toEqual({ changed: 1, failed: 0, odd: 0 });
});

test('R10: removing and bringing back an album or a picture many times at once never loses or doubles it', async () => {
  const { creator, albumId, photos } = shared;
  const mediaId = photos[0]?.mediaId ?? '';
  const deeds = [
    (browser: Browser) => house.call('albums.remove', { albumId }, browser),
    (browser: Browser) => house.call('albums.restore', { albumId }, browser),
    (browser: Browser) => house.call('media.remove', { mediaId }, browser),
    (browser: Browser) => house.call('media.restore', { mediaId }, browser),
    (browser: Browser) => house.call('albums.addItems', { albumId, mediaIds: [mediaId] }, browser),
  ];
  const answers = await atOnce(many, (n) => {
    const deed = deeds[n % deeds.length];
    if (deed === undefined) throw new Error('no deed');
    return deed(copyOf(creator.browser));
  });
  note(many);
  expect(failed(answers)).toBe(0);
  await house.call('albums.restore', { albumId }, creator.browser);
  await house.call('media.restore', { mediaId }, creator.browser);
  await house.call('albums.addItems', { albumId, mediaIds: [mediaId] }, creator.browser);
  const items = 'select count(*) n from album_items where album_id = $1 and media_id = $2';
  expect(await count(items, [albumId, mediaId])).toBe(1);
  const one = await house.call('albums.one', { albumId }, creator.browser);
  expect([one.status, one.body.items.length]).toEqual([200, 1]);
});

const tus = { 'tus-resumable': '1.0.0', origin: 'http://localhost:3000' };

test('R10: the last piece of a file that arrives many times at once becomes one picture', async () => {
  const { creator, salon, albumId } = shared;
  const bytes = await paintJpeg(5, 320, 240);
  const metadata = `albumId ${Buffer.from(albumId).toString('base64')}`;
  const cookies = headersOf(creator.browser);
  const begun = await fetch(`${salon.url}/files`, {
    method: 'POST',
    headers: { ...tus, ...cookies, 'upload-length': String(bytes.length), 'upload-metadata': metadata } as Record<
      string,
      string
    >,
  });
  expect([begun.status, await begun.text()]).toEqual([201, '']);
  const at = begun.headers.get('location') ?? '';
  const sending = { ...tus, ...cookies, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
  const answers = await atOnce(12, async (n) => {
    await wait(n % 4);
    const init = { method: 'PATCH', headers: sending as Record<string, string>, body: new Uint8Array(bytes) };
    const answer = await fetch(`${salon.url}${at}`, init);
    await answer.arrayBuffer();
    return answer;
  });
  note(12);
  expect(failed(answers)).toBe(0);
  const id = at.split('/').at(-1);
  const jobs = "select count(*) n from pgboss.job where data->>'mediaId' = $1";
  await expect.poll(() => count('select count(*) n from media where id = $1', [id]), { timeout: 10_000 }).toBe(1);
  expect(await count('select count(*) n from album_items where media_id = $1', [id])).toBe(1);
  expect(await count(jobs, [id])).toBe(1);
});

test('R10: signing out everywhere while many sessions begin leaves none of before', async () => {
  const { userId } = await signUpCreator(house);
  const before = await Promise.all(Array.from({ length: 10 }, () => signInQuickly(house, userId)));
  const [first] = before;
  if (first === undefined) throw new Error('no session');
  const answers = await atOnce(10, (n) => house.call('accounts.signOutEverywhere', {}, copyOf(before[n] ?? first)));
  note(10);
  expect(failed(answers)).toBe(0);
  for (const browser of before) expect((await house.call('accounts.me', {}, copyOf(browser))).body.user).toBeNull();
});
