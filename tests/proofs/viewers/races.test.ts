import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  advance,
  confirmPerson,
  goodPassword,
  readEmail,
  readRows,
  signInQuickly,
  signUpCreator,
} from '#tests/support/people.ts';
import { openSockets, type Sockets } from '#tests/support/servers/sockets.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, elsewhere, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { countOf, guards, printProof } from '../counts.ts';
import { breachAt, whileBroken } from '../crashes/break-installation.ts';
import {
  atOnce,
  changeTogether,
  confirmTogether,
  countRows,
  crowdOnto,
  failed,
  newAddress,
  type Race,
  revokeTogether,
  sendTogether,
  succeeded,
  tapTogether,
} from './run-races.ts';

guards('src/features/viewing/**', 'src/features/links/**', 'src/features/accounts/**', 'src/features/access/**');

let app: TestApp;
let shared: SharedAlbum;
let sockets: Sockets;
let race: Race;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false, server: { trustedProxies: '127.0.0.1' } });
  shared = await shareAlbum(app, { count: 1 });
  sockets = openSockets(app, connections);
  race = { app, shared, ...sockets, many, note };
});
afterAll(async () => {
  sockets.close();
  await app.close();
});

/** Over so many connections, which are kept, as many are sent at the same moment. */
const connections = countOf(10, 50);
const many = countOf(25, 200);
/** How often each of the eight races is run that can be run again: more than 1,000 times in all with `--full`. */
const rounds = countOf(1, 15, 143);
let requests = 0;
let races = 0;
/** One race: something that many want at once, and exactly so many get. */
const note = (sent: number) => {
  requests += sent;
  races++;
};
afterAll(() => printProof('races', requests, { atOnce: many, sockets: sockets.opened(), races }));

test('of many strangers exactly one gets onto a one-person link, and exactly as many as there are places onto others', async () => {
  for (let round = 0; round < rounds; round++)
    for (const [rules, places] of [
      [{ bindFirstViewer: true }, 1],
      [{ maxViewers: 7 }, 7],
    ] as const)
      expect(await crowdOnto(race, rules)).toEqual({ letIn: places, seated: places, failed: 0 });
});

test('the last visit of a viewer is begun once, on however many screens they tap', async () => {
  for (let round = 0; round < rounds; round++)
    expect(await tapTogether(race, randomBytes(32).toString('base64url'))).toEqual([1, 0]);
});

test('a mailed link and its code let exactly one in, whoever of many is first', async () => {
  for (let round = 0; round < rounds; round++)
    for (const how of ['token', 'code'] as const)
      expect([how, await confirmTogether(race, how, `race-${how}-${round}@example.com`)]).toEqual([
        how,
        { cameIn: 1, sessions: 1, failed: 0, odd: [] },
      ]);
});

test('planted: places and emails that are never used up let more in, and it is found', async () => {
  const endless = {
    places: breachAt('before update', 'magic_links', 'new.places_taken := 0; return new;'),
    emails: breachAt('before update', 'email_tokens', 'new.used_at := null; return new;'),
  };
  const before = races;
  const { letIn, seated } = await whileBroken(app, endless.places, () => crowdOnto(race, { maxViewers: 7 }));
  expect([letIn > 7, seated]).toEqual([true, letIn]);
  const email = await whileBroken(app, endless.emails, () =>
    confirmTogether(race, 'token', 'race-planted@example.com'),
  );
  expect(email.cameIn).toBeGreaterThan(1);
  races = before; // these are no races to be won
});

test('a forgotten password is set once by one email', async () => {
  const { email, userId } = await signUpCreator(app);
  advance(app, 3_600_000);
  const asking = newBrowser();
  await sockets.call('accounts.askForPassword', { email }, asking);
  const { token } = await readEmail(app, email);
  const few = Math.min(many, 40);
  const answers = await atOnce(few, (n) =>
    sockets.call(
      'accounts.setPassword',
      { proof: { token }, password: `${goodPassword} ${n}` },
      { ...elsewhere(asking), ...newAddress() },
    ),
  );
  note(few);
  expect([succeeded(answers), failed(answers)]).toEqual([1, 0]);
  expect(await countRows(app, 'select count(*) n from auth_sessions where user_id = $1', [userId])).toBe(1);
  const winner = answers.findIndex(({ status }) => status === 200);
  const signIn = await sockets.call('accounts.signIn', { email, password: `${goodPassword} ${winner}` }, newBrowser());
  expect(signIn.status).toBe(200);
});

test('a set-up that is finished many times gives one trial, and a handle has one owner', async () => {
  const people = await Promise.all(Array.from({ length: 3 }, () => confirmPerson(app)));
  const handle = `wanted_${Date.now().toString(36)}`;
  for (const { browser } of people) await sockets.call('accounts.setUpPassword', { password: goodPassword }, browser);
  const profile = { displayName: 'Mia', handle, country: 'DE', timeZone: 'Europe/Berlin' };
  const claims = await atOnce(many, (n) =>
    sockets.call('accounts.setUpProfile', profile, elsewhere(people[n % people.length]?.browser ?? newBrowser())),
  );
  note(many);
  expect(failed(claims)).toBe(0);
  expect(await countRows(app, 'select count(*) n from users where handle = $1', [handle])).toBe(1);
  const owner = people[claims.findIndex(({ status }) => status === 200) % people.length];
  if (owner === undefined) throw new Error('nobody got the handle');
  const consent = { birthDate: '1994-05-01', acceptsTerms: true, acceptsContentPolicy: true };
  await sockets.call('accounts.setUpConsent', consent, owner.browser);
  const finished = await atOnce(many, () => sockets.call('accounts.finishSetup', {}, elsewhere(owner.browser)));
  note(many);
  expect([succeeded(finished) >= 1, failed(finished)]).toEqual([true, 0]);
  const [row] = await readRows(app, 'select trial_ends_at from users where id = $1', [owner.userId]);
  expect(row?.trial_ends_at).toEqual(new Date(app.engines.clock() + 7 * 86_400_000));
});

test('revoke, undo and extend, all at once and many times, end in one state that the audit tells', async () => {
  for (let round = 0; round < rounds; round++) expect(await revokeTogether(race)).toEqual([]);
});

test('a changed link is changed by one of many who saw the same version', async () => {
  for (let round = 0; round < rounds; round++)
    expect(await changeTogether(race)).toEqual({ changed: 1, failed: 0, odd: 0 });
});

test('removing and bringing back an album or a picture many times at once never loses or doubles it', async () => {
  for (let round = 0; round < Math.max(10, rounds); round++) expect(await removeTogether()).toEqual([0, 1, 'ready']);
});

/** Lets many take a ready album and its picture away and bring them back. @returns the bugs, its pictures and its state */
async function removeTogether() {
  const { creator, albumId, photos } = shared;
  const mediaId = photos[0]?.mediaId ?? '';
  const deeds = [
    (browser: Browser) => sockets.call('albums.remove', { albumId }, browser),
    (browser: Browser) => sockets.call('albums.restore', { albumId }, browser),
    (browser: Browser) => sockets.call('media.remove', { mediaId }, browser),
    (browser: Browser) => sockets.call('media.restore', { mediaId }, browser),
    (browser: Browser) => sockets.call('albums.addItems', { albumId, mediaIds: [mediaId] }, browser),
  ];
  const answers = await atOnce(many, (n) => {
    const deed = deeds[n % deeds.length];
    if (deed === undefined) throw new Error('no deed');
    return deed(elsewhere(creator.browser));
  });
  note(many);
  await sockets.call('albums.restore', { albumId }, creator.browser);
  await sockets.call('media.restore', { mediaId }, creator.browser);
  await sockets.call('albums.addItems', { albumId, mediaIds: [mediaId] }, creator.browser);
  const { body } = await sockets.call('albums.one', { albumId }, creator.browser);
  return [failed(answers), body.items.length, body.album.state];
}

test('the last piece of a file that arrives many times at once becomes one picture', async () => {
  expect(await sendTogether(race)).toEqual({ failed: 0, media: 1, items: 1, jobs: 1 });
});

test('planted: an audit that forgets, versions that stand still and a picture in no album are found', async () => {
  const forgetting = breachAt(
    'before insert',
    'audit_log',
    "if new.action = 'link.revived' then return null; end if; return new;",
  );
  const still = breachAt('before update', 'magic_links', 'new.policy_version := old.policy_version; return new;');
  // The log of the rules would refuse a second one of the same version.
  const unwritten = breachAt('before insert', 'link_policy_log', 'return null;');
  const nowhere = breachAt('before insert', 'album_items', 'return null;');
  const before = races;
  expect(await whileBroken(app, forgetting, () => revokeTogether(race))).toContain('the audit tells a deed twice');
  const changing = () => whileBroken(app, unwritten, () => changeTogether(race));
  expect((await whileBroken(app, still, changing)).changed).toBeGreaterThan(1);
  expect((await whileBroken(app, nowhere, () => sendTogether(race))).items).toBe(0);
  races = before;
});

test('signing out everywhere while many sessions begin leaves none of before', async () => {
  const { userId } = await signUpCreator(app);
  const before = await Promise.all(Array.from({ length: 10 }, () => signInQuickly(app, userId)));
  const [first] = before;
  if (first === undefined) throw new Error('no session');
  const answers = await atOnce(10, (n) =>
    sockets.call('accounts.signOutEverywhere', {}, elsewhere(before[n] ?? first)),
  );
  note(10);
  expect(failed(answers)).toBe(0);
  for (const browser of before)
    expect((await sockets.call('accounts.me', {}, elsewhere(browser))).body.user).toBeNull();
});

test('all of it went over a few connections, each used again and again', () => {
  expect(sockets.opened()).toBe(connections);
});
