import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitment, linkSeed } from '#features/media/formats/codeword.ts';
import { ensureTraceKey } from '#features/media/keys-store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { writeSetting } from '#features/settings/store.ts';
import { type Person, signUpCreator } from '#tests/support/people.ts';
import { addReadyAlbum } from '#tests/support/ready-album.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let mia: Person;
let album: string;
const noon = '2026-11-21T12:00:00Z';

beforeAll(async () => {
  app = await openTestApp({ now: noon });
  mia = await signUpCreator(app);
  album = await addReadyAlbum(app, mia.userId);
});
afterAll(() => app.close());

const make = (input: object, { browser } = mia, key?: string) =>
  app.call('links.createMany', { albumIds: [album], ...input }, withKey(browser, key));
const withKey = (browser: Person['browser'], key: string | undefined) =>
  key === undefined ? browser : { ...browser, headers: { ...browser.headers, 'idempotency-key': key } };
const listOf = (count: number, begin = 'Name') => Array.from({ length: count }, (_, n) => `${begin} ${n + 1}`);
const countLinks = async ({ browser } = mia) => (await app.call('links.list', {}, browser)).body.counts.all;
const asSystem = <T>(run: Parameters<typeof app.engines.database.work<T>>[1]) =>
  app.engines.database.work({ kind: 'system' }, run);

describe('links for a list of people', () => {
  it('are one for each name, in their order, each with the same rules and an address of its own', async () => {
    const names = listOf(100);
    const { status, body } = await make({ names, rules: { maxVisits: 3 }, recipientChannel: 'whatsapp' });
    expect(status).toBe(200);
    expect(body.links.map(({ name }: { name: string }) => name)).toEqual(names);
    expect(new Set(body.links.map(({ url }: { url: string }) => url)).size).toBe(100);
    const one = (await app.call('links.one', { linkId: body.links[41].id }, mia.browser)).body;
    expect(one).toMatchObject({
      linkName: 'Name 42, WhatsApp',
      recipientName: 'Name 42',
      url: body.links[41].url,
      policy: { maxVisits: 3, ageGate: true, password: false },
      albums: [{ id: album }],
      policyVersion: 1,
    });
    const found = (await app.call('links.list', { search: 'name 42' }, mia.browser)).body.links;
    expect(found).toHaveLength(1);
  });
  it('have their half of the codewords and the first version of their rules each', async () => {
    const { body } = await make({ names: ['Ann', 'Ben'], password: 'sea glass' });
    const ids = body.links.map(({ id }: { id: string }) => id);
    const { logged, versions, traceKey } = await asSystem(async (tx) => ({
      traceKey: await ensureTraceKey(tx, app.engines.keys, mia.userId),
      logged: await tx.db.selectFrom('codeword_log').selectAll().where('link_id', 'in', ids).execute(),
      versions: await tx.db.selectFrom('link_policy_log').selectAll().where('link_id', 'in', ids).execute(),
    }));
    for (const id of ids)
      expect(logged.find(({ link_id }) => link_id === id)?.commitment).toEqual(commitment(id, linkSeed(traceKey, id)));
    expect(versions).toHaveLength(2);
    expect(versions).toMatchObject(Array(2).fill({ version: 1, password_version: 1, by_user: mia.userId }));
  });
  it('are the same ones when the call comes again with its key, and none more', async () => {
    const key = crypto.randomUUID();
    const names = listOf(5, 'Again');
    const before = await countLinks();
    const [one, other] = await Promise.all([make({ names }, mia, key), make({ names }, mia, key)]);
    expect(other?.body).toEqual(one?.body);
    expect((await make({ names }, mia, key)).body).toEqual(one?.body);
    expect(await countLinks()).toBe(before + 5);
    expect((await make({ names: [...names, 'Late'] }, mia, key)).status).toBe(409);
  });
  it('are all or none: a name twice, one too long or none at all makes nothing', async () => {
    const before = await countLinks();
    const twice = await make({ names: ['Bob', 'Ann', 'bob'] });
    expect([twice.status, twice.body.data.field, twice.body.message]).toEqual([
      422,
      'names',
      '“Bob” is in the list more than once. A link is for one person.',
    ]);
    for (const names of [[], ['Ann', 'x'.repeat(61)], ['Ann', ' '], ['Ann', '\u200b'], listOf(101)])
      expect((await make({ names })).status).toBe(422);
    expect(await countLinks()).toBe(before);
  });
  it('keep to the limit of active links, and say how many can still be made', async () => {
    const ann = await signUpCreator(app);
    const albumIds = [await addReadyAlbum(app, ann.userId)];
    const limit = (await settingsOf(app.engines))['limits.links'];
    await asSystem((tx) => writeSetting(tx, { key: 'limits.links', value: 10, by: null, now: new Date(noon) }));
    await app.call('links.create', { albumIds }, ann.browser);
    const { status, body } = await make({ albumIds, names: listOf(10) }, ann);
    expect([status, body.message]).toEqual([
      409,
      'You can make 9 more links, up to 10 active ones. Shorten the list or revoke some first.',
    ]);
    expect(await countLinks(ann)).toBe(1);
    expect((await make({ albumIds, names: listOf(9) }, ann)).status).toBe(200);
    expect((await make({ albumIds, names: ['One'] }, ann)).body.message).toMatch(/^You've reached the limit of 10 /);
    await asSystem((tx) => writeSetting(tx, { key: 'limits.links', value: limit, by: null, now: new Date(noon) }));
  });
  it("ask like one link does: a protected album, somebody else's album, rules that can't be", async () => {
    const guarded = await addReadyAlbum(app, mia.userId, { isProtected: true });
    const asked = await make({ albumIds: [guarded], rules: {}, names: ['Ann'] });
    expect([asked.status, asked.body.data.reason]).toEqual([409, 'LAXER_THAN_ALBUM']);
    expect((await make({ albumIds: [guarded], rules: {}, names: ['Ann'], isLaxConfirmed: true })).status).toBe(200);
    const eve = await signUpCreator(app);
    expect((await make({ names: ['Ann'] }, eve)).status).toBe(404);
    const past = await make({ names: ['Ann'], expiry: { kind: 'at', at: noon } });
    expect([past.status, past.body.data.field]).toEqual([422, 'expiry']);
  });
});
