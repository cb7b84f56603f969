import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitment, linkSeed } from '#features/media/formats/codeword.ts';
import { ensureTraceKey } from '#features/media/keys-store.ts';
import { type Person, signUpCreator } from '#tests/support/people.ts';
import { addReadyAlbum } from '#tests/support/ready-album.ts';
import { type Browser, headersOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let mia: Person;
let eve: Person;
let album: string;
const noon = '2026-11-21T12:00:00Z';

beforeAll(async () => {
  app = await openTestApp({ now: noon });
  mia = await signUpCreator(app);
  eve = await signUpCreator(app);
  album = await addReadyAlbum(app, mia.userId);
});
afterAll(() => app.close());

const call = (procedure: string, input: unknown, { browser } = mia) => app.call(`links.${procedure}`, input, browser);
const asSystem = <T>(run: Parameters<typeof app.engines.database.work<T>>[1]) =>
  app.engines.database.work({ kind: 'system' }, run);
async function make(input: object = {}) {
  const answer = await call('create', { albumIds: [album], ...input });
  expect(answer.body).toMatchObject({ slug: expect.any(String) });
  return answer.body;
}
const later = (ms: number) => app.setNow(new Date(Date.parse(noon) + ms).toISOString());
const hour = 3_600_000;
const day = 24 * hour;

describe('making a link', () => {
  it('needs nothing but an album: free, adults only, 30 days, two screens, an address of 22 random characters', async () => {
    const link = await make();
    expect(link.slug).toMatch(/^[A-Za-z0-9]{22}$/);
    expect(link.url).toBe(`http://localhost:3000/view/${link.slug}`);
    expect(link).toMatchObject({
      policyVersion: 1,
      isRevoked: false,
      viewsCount: 0,
      albums: [{ id: album, name: 'Golden hour' }],
    });
    expect(new Date(link.expiresAt).getTime() - new Date(link.createdAt).getTime()).toBe(30 * day);
    expect(link.policy).toMatchObject({
      ageGate: true,
      password: false,
      maxConcurrent: 2,
      offers: [{ all: [{ kind: 'free' }] }],
    });
  });
  it("fixes the link's half of the codewords and the first version of its rules in the same breath", async () => {
    const link = await make();
    const { logged, versions, traceKey } = await asSystem(async (tx) => ({
      traceKey: await ensureTraceKey(tx, app.engines.keys, mia.userId),
      logged: await tx.db.selectFrom('codeword_log').selectAll().where('link_id', '=', link.id).execute(),
      versions: await tx.db.selectFrom('link_policy_log').selectAll().where('link_id', '=', link.id).execute(),
    }));
    expect(logged).toHaveLength(1);
    expect(logged[0]?.commitment).toEqual(commitment(link.id, linkSeed(traceKey, link.id)));
    expect(versions).toMatchObject([{ version: 1, policy: link.policy }]);
  });
  it('keeps a password only as argon2id, and says that there is one', async () => {
    const link = await make({ password: 'sea glass' });
    expect(link.policy.password).toBe(true);
    expect(JSON.stringify(link)).not.toMatch(/argon|sea glass/);
    const [row] = await asSystem(({ db }) =>
      db.selectFrom('magic_links').select(['password_hash', 'password_version']).where('id', '=', link.id).execute(),
    );
    expect(row).toMatchObject({ password_hash: expect.stringMatching(/^\$argon2id\$/), password_version: 1 });
    expect((await call('create', { albumIds: [album], password: 'short' })).status).toBe(422);
  });
  it('refuses offers that contradict each other, with a sentence and the field', async () => {
    const offers = [
      { id: 'free', all: [{ kind: 'free' }] },
      { id: 'ask', all: [{ kind: 'approval' }] },
    ];
    const { status, body } = await call('create', { albumIds: [album], rules: { offers } });
    expect([status, body.data.field]).toEqual([422, 'rules.offers']);
    expect(body.message).toBe("A link can't be free and ask for something.");
  });
  it('refuses an end that has passed and a window that never opens', async () => {
    const past = await call('create', { albumIds: [album], expiry: { kind: 'at', at: noon } });
    expect([past.status, past.body.data.field]).toEqual([422, 'expiry']);
    const rules = { notBefore: '2027-01-01T00:00:00Z' };
    const never = await call('create', { albumIds: [album], rules, expiry: { kind: 'after', hours: 24 } });
    expect([never.status, never.body.data.field]).toEqual([422, 'rules.notBefore']);
    expect((await make({ expiry: { kind: 'never' } })).expiresAt).toBeNull();
  });
  it("refuses an empty album, somebody else's and an archived one; a laxer link on a protected one asks once", async () => {
    const empty = await addReadyAlbum(app, mia.userId, { isEmpty: true });
    expect((await call('create', { albumIds: [empty] })).body.code).toBe('ALBUM_EMPTY');
    expect((await call('create', { albumIds: [album] }, eve)).status).toBe(404);
    const foreign = await addReadyAlbum(app, eve.userId);
    expect((await call('create', { albumIds: [album, foreign] })).status).toBe(404);
    const closed = await addReadyAlbum(app, mia.userId);
    await app.call('albums.archive', { albumId: closed }, mia.browser);
    expect((await call('create', { albumIds: [closed] })).status).toBe(409);
    const guarded = await addReadyAlbum(app, mia.userId, { isProtected: true });
    const asked = await call('create', { albumIds: [guarded], rules: {} });
    expect([asked.status, asked.body.data.reason, asked.body.message]).toEqual([
      409,
      'LAXER_THAN_ALBUM',
      'Anyone with this link gets in. Make it anyway?',
    ]);
    expect((await call('create', { albumIds: [guarded], rules: {}, isLaxConfirmed: true })).status).toBe(200);
  });
  it('is made the same way through the other door, with dates as text', async () => {
    // Newest first is told by the clock; links of one millisecond stand in any order.
    later(1000);
    const answer = await app.fastify.inject({
      method: 'POST',
      url: '/api/v1/links',
      headers: { 'content-type': 'application/json', 'x-csrf-token': 'orpc', ...headersOf(mia.browser) },
      payload: { albumIds: [album], expiry: { kind: 'at', at: '2026-12-20T22:59:59Z' } },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ expiresAt: '2026-12-20T22:59:59.000Z' });
    const list = await app.fastify.inject({
      url: '/api/v1/links?limit=1&filter=active',
      headers: headersOf(mia.browser),
    });
    expect(list.json()).toMatchObject({ links: [{ albums: [{ id: album }] }] });
    app.setNow(noon);
  });
  it('is signed in for, and told to open pages and to the audit', async () => {
    expect((await app.call('links.create', { albumIds: [album] })).status).toBe(401);
    const link = await make();
    const rows = await asSystem(({ db }) =>
      db.selectFrom('audit_log').selectAll().where('target_id', '=', link.id).execute(),
    );
    expect(rows).toMatchObject([{ action: 'link.created', actor_id: mia.userId }]);
  });
});

describe('changing a link', () => {
  it('makes a new version of the rules for each change of a rule, and none for a name', async () => {
    const link = await make();
    const named = await call('update', { linkId: link.id, linkName: 'Sea', note: 'met in May', recipientName: 'Bob' });
    expect(named.body).toMatchObject({ linkName: 'Sea', note: 'met in May', recipientName: 'Bob', policyVersion: 1 });
    const ruled = await call('update', { linkId: link.id, rules: { maxVisits: 3 } });
    expect(ruled.body).toMatchObject({ policyVersion: 2, policy: { maxVisits: 3, ageGate: true } });
    expect((await call('update', { linkId: link.id, rules: { maxVisits: 3 } })).body.policyVersion).toBe(2);
    const ended = await call('update', { linkId: link.id, expiry: { kind: 'after', hours: 1 } });
    expect(ended.body.policyVersion).toBe(3);
    const locked = await call('update', { linkId: link.id, password: 'sea glass' });
    expect(locked.body).toMatchObject({ policyVersion: 4, policy: { password: true, maxVisits: 3 } });
    const open = await call('update', { linkId: link.id, password: null });
    expect(open.body).toMatchObject({ policyVersion: 5, policy: { password: false } });
    const versions = await asSystem(({ db }) =>
      db.selectFrom('link_policy_log').select('version').where('link_id', '=', link.id).orderBy('version').execute(),
    );
    expect(versions.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5]);
  });
  it('refuses a change made on rules that have changed meanwhile', async () => {
    const link = await make();
    await call('update', { linkId: link.id, rules: { maxVisits: 3 } });
    expect((await call('update', { linkId: link.id, policyVersion: 1, rules: {} })).status).toBe(409);
  });
  it('extends many at once, or none', async () => {
    const [a, b] = [await make(), await make()];
    const input = { linkIds: [a.id, b.id], expiry: { kind: 'after', hours: 7 * 24 } };
    const { body } = await call('extend', input);
    for (const link of body.links) expect(new Date(link.expiresAt)).toEqual(new Date(Date.parse(noon) + 7 * day));
    await call('revoke', { linkIds: [b.id] });
    expect((await call('extend', { ...input, expiry: { kind: 'never' } })).status).toBe(410);
    expect((await call('one', { linkId: a.id })).body.expiresAt).not.toBeNull();
  });
  it("is nobody else's: 404, and nothing is changed", async () => {
    const link = await make();
    const foreign = [
      ['one', { linkId: link.id }],
      ['update', { linkId: link.id, linkName: 'mine now' }],
      ['revoke', { linkIds: [link.id] }],
      ['undoRevoke', { linkIds: [link.id] }],
      ['extend', { linkIds: [link.id], expiry: { kind: 'never' } }],
      ['revokeAll', { albumId: album }],
    ] as const;
    for (const [procedure, input] of foreign) expect((await call(procedure, input, eve)).status).toBe(404);
    expect((await call('revokeAll', {}, eve)).body).toEqual({ revoked: 0 });
    expect((await call('one', { linkId: link.id })).body).toEqual(link);
    const own = (await call('create', { albumIds: [await addReadyAlbum(app, eve.userId)] }, eve)).body;
    expect((await call('revoke', { linkIds: [own.id, link.id] }, eve)).status).toBe(404);
    expect((await call('one', { linkId: own.id }, eve)).body.isRevoked).toBe(false);
  });
});

describe('revoking', () => {
  it('can be undone for 24 hours, to the second', async () => {
    const link = await make();
    const revoked = (await call('revoke', { linkIds: [link.id] })).body.links[0];
    expect(revoked).toMatchObject({ isRevoked: true, isLookingNow: false });
    expect(new Date(revoked.undoUntil).getTime() - Date.parse(noon)).toBe(day);
    later(day - 1000);
    const back = await call('undoRevoke', { linkIds: [link.id] });
    expect(back.body.links[0]).toMatchObject({ isRevoked: false, revokedAt: null, undoUntil: null, slug: link.slug });
    await call('revoke', { linkIds: [link.id] });
    later(2 * day - 1000);
    expect((await call('undoRevoke', { linkIds: [link.id] })).status).toBe(410);
    expect((await call('one', { linkId: link.id })).body.isRevoked).toBe(true);
    expect((await call('update', { linkId: link.id, rules: {} })).status).toBe(410);
    expect((await call('update', { linkId: link.id, linkName: 'kept' })).status).toBe(200);
    app.setNow(noon);
  });
  it('is the same twice, and the audit knows one', async () => {
    const link = await make();
    await Promise.all(Array.from({ length: 5 }, () => call('revoke', { linkIds: [link.id] })));
    const rows = await asSystem(({ db }) =>
      db
        .selectFrom('audit_log')
        .select('action')
        .where('target_id', '=', link.id)
        .where('action', '=', 'link.revoked')
        .execute(),
    );
    expect(rows).toHaveLength(1);
  });
  it('of all links of an album leaves the others', async () => {
    const other = await addReadyAlbum(app, mia.userId);
    const [a, b, kept] = [await make({ albumIds: [other] }), await make({ albumIds: [other, album] }), await make()];
    expect((await call('revokeAll', { albumId: other })).body).toEqual({ revoked: 2 });
    const states = await Promise.all(
      [a, b, kept].map(async ({ id }) => (await call('one', { linkId: id })).body.isRevoked),
    );
    expect(states).toEqual([true, true, false]);
  });
  it('of everything at once ends every other session, and each link can be brought back', async () => {
    const lena = await signUpCreator(app);
    const albumId = await addReadyAlbum(app, lena.userId);
    const made = [
      await call('create', { albumIds: [albumId] }, lena),
      await call('create', { albumIds: [albumId] }, lena),
    ];
    const [first, second] = made.map(({ body }) => body.id);
    await call('revoke', { linkIds: [second] }, lena);
    const kept = await make();
    const elsewhere = newBrowser();
    const signedIn = await app.call('accounts.signIn', { email: lena.email, password: lena.password }, elsewhere);
    expect(signedIn.status).toBe(200);
    const isIn = async (browser: Browser) => (await app.call('accounts.me', {}, browser)).body.user !== null;
    expect([await isIn(elsewhere), await isIn(lena.browser)]).toEqual([true, true]);
    expect((await call('lockEverything', {}, lena)).body).toEqual({ revoked: 1 });
    expect([await isIn(elsewhere), await isIn(lena.browser), await isIn(mia.browser)]).toEqual([false, true, true]);
    const rows = await asSystem(({ db }) =>
      db.selectFrom('magic_links').select(['id', 'revoked_reason']).where('user_id', '=', lena.userId).execute(),
    );
    expect(new Map(rows.map((row) => [row.id, row.revoked_reason]))).toEqual(
      new Map([
        [first, 'panic'],
        [second, 'manual'],
      ]),
    );
    expect((await call('one', { linkId: kept.id })).body.isRevoked).toBe(false);
    expect((await call('undoRevoke', { linkIds: [first] }, lena)).body.links[0].isRevoked).toBe(false);
  });
  it('and undoing, 200 calls at once, ends in one state and an audit that alternates', async () => {
    const link = await make();
    // A machine that is busy may say 503, which changes nothing; the caller tries again, as a browser does.
    const insist = async (procedure: string) => {
      let answer = await call(procedure, { linkIds: [link.id] });
      while (answer.status === 503) answer = await call(procedure, { linkIds: [link.id] });
      return answer.status;
    };
    const calls = Array.from({ length: 200 }, (_, n) => insist(n % 2 === 0 ? 'revoke' : 'undoRevoke'));
    expect([...new Set(await Promise.all(calls))]).toEqual([200]);
    const rows = await asSystem(({ db }) =>
      db
        .selectFrom('audit_log')
        .select('action')
        .where('target_id', '=', link.id)
        .where('action', 'in', ['link.revoked', 'link.revived'])
        .orderBy('id')
        .execute(),
    );
    for (const [at, { action }] of rows.entries()) expect(action).toBe(at % 2 === 0 ? 'link.revoked' : 'link.revived');
    const { isRevoked } = (await call('one', { linkId: link.id })).body;
    expect(isRevoked).toBe(rows.length % 2 === 1);
  });
});
