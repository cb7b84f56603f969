import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tx } from '#engines/database/work.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { writeSetting } from '#features/settings/store.ts';
import { signUpCreator } from '#tests/support/people.ts';
import { addReadyAlbum } from '#tests/support/ready-album.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
const noon = '2026-11-21T12:00:00Z';
const hour = 3_600_000;

beforeAll(async () => {
  app = await openTestApp({ now: noon });
});
afterAll(() => app.close());

const asSystem = <T>(run: (tx: Tx) => Promise<T>) => app.engines.database.work({ kind: 'system' }, run);
const later = (ms: number) => app.setNow(new Date(Date.parse(noon) + ms).toISOString());

describe('the list', () => {
  it('filters, counts, searches and goes on where a page ended', async () => {
    const { browser } = await signUpCreator(app);
    const me = (await app.call('accounts.me', {}, browser)).body.user.id;
    const sea = await addReadyAlbum(app, me, { name: 'Sea week' });
    const makeOne = async (input: object) =>
      (await app.call('links.create', { albumIds: [sea], ...input }, browser)).body;
    const names = ['Ann', 'Bob', 'Cleo', 'Dan', 'Eli'];
    for (const [at, name] of names.entries()) {
      later(at * 1000);
      await makeOne({ recipientName: name, expiry: { kind: 'after', hours: name === 'Eli' ? 1 : 48 } });
    }
    const list = async (input: object = {}) => (await app.call('links.list', input, browser)).body;
    const all = await list();
    expect(all.links.map(({ recipientName }: { recipientName: string }) => recipientName)).toEqual(
      [...names].reverse(),
    );
    await app.call('links.revoke', { linkIds: [all.links[1].id] }, browser);
    await asSystem(({ db }) =>
      db.updateTable('magic_links').set({ first_opened_at: new Date() }).where('id', '=', all.links[2].id).execute(),
    );
    later(2 * hour);
    const { counts } = await list();
    expect(counts).toEqual({ all: 5, active: 3, never_opened: 2, expired: 1, revoked: 1 });
    for (const filter of ['active', 'never_opened', 'expired', 'revoked'] as const)
      expect((await list({ filter })).links).toHaveLength(counts[filter]);
    expect((await list({ search: 'cle' })).links).toMatchObject([{ recipientName: 'Cleo' }]);
    expect((await list({ search: 'sea' })).links).toHaveLength(5);
    expect((await list({ search: '%' })).links).toHaveLength(0);
    const first = await list({ limit: 2 });
    const second = await list({ limit: 2, cursor: first.nextCursor });
    const third = await list({ limit: 2, cursor: second.nextCursor });
    const pages = [first, second, third].flatMap(({ links }) => links.map(({ id }: { id: string }) => id));
    expect(pages).toEqual((await list()).links.map(({ id }: { id: string }) => id));
    expect(third.nextCursor).toBeNull();
    expect((await list({ albumId: await addReadyAlbum(app, me) })).links).toEqual([]);
    app.setNow(noon);
  });
  it('finds names, people and notes by their letters, also after they were changed', async () => {
    const { browser, userId } = await signUpCreator(app);
    const albumId = await addReadyAlbum(app, userId, { name: 'Ægäis' });
    const link = { albumIds: [albumId], linkName: 'Café', recipientName: 'Zoë', note: 'from Straße 9' };
    const { id } = (await app.call('links.create', link, browser)).body;
    const find = async (search: string) => (await app.call('links.list', { search }, browser)).body.links.length;
    for (const words of ['cafe', 'CAFE\u0301', 'zoe', 'strasse 9', 'aegais']) expect(await find(words)).toBe(1);
    // What ends one text and what begins the next are no words.
    expect(await find('cafe zoe')).toBe(0);
    await app.call('links.update', { linkId: id, recipientName: 'Łucja' }, browser);
    for (const [words, found] of [
      ['lucja', 1],
      ['cafe', 1],
      ['strasse', 1],
      ['zoe', 0],
    ] as const)
      expect(await find(words)).toBe(found);
  });

  it('stops at the limit of active links, also for many at once', async () => {
    const { browser, userId } = await signUpCreator(app);
    const own = await addReadyAlbum(app, userId);
    const set = (value: number) =>
      asSystem((tx) => writeSetting(tx, { key: 'limits.links', value, by: null, now: new Date() }));
    await set(3);
    await expect.poll(async () => (await settingsOf(app.engines))['limits.links']).toBe(3);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => app.call('links.create', { albumIds: [own] }, browser)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    const linkIds = [answers.find(({ status }) => status === 200)?.body.id];
    const undo = () => app.call('links.undoRevoke', { linkIds }, browser);
    await app.call('links.revoke', { linkIds }, browser);
    expect((await undo()).status).toBe(200);
    await app.call('links.revoke', { linkIds }, browser);
    expect((await app.call('links.create', { albumIds: [own] }, browser)).status).toBe(200);
    expect((await undo()).body.message, 'nor is one brought back beyond it').toBe(
      "You've reached the limit of 3 active links. Revoke one first.",
    );
    await set(2000);
  });

  it('lets no link that is over come back beyond the limit, by whichever way it is given a new end', async () => {
    const { browser, userId } = await signUpCreator(app);
    const own = await addReadyAlbum(app, userId);
    const make = async (hours: number) =>
      (await app.call('links.create', { albumIds: [own], expiry: { kind: 'after', hours } }, browser)).body.id;
    const old = [await make(1), await make(1)];
    const set = async (value: number) => {
      await asSystem((tx) => writeSetting(tx, { key: 'limits.links', value, by: null, now: new Date() }));
      await expect.poll(async () => (await settingsOf(app.engines))['limits.links']).toBe(value);
    };
    await set(3);
    later(2 * hour);
    const alive = await make(48);
    const other = await make(48);
    const end = { expiry: { kind: 'after', hours: 24 } };
    const [first, second] = old;
    const extend = (linkIds: unknown[]) => app.call('links.extend', { linkIds, ...end }, browser);
    const words = "You've reached the limit of 3 active links. Revoke one first.";
    expect((await extend(old)).body.message, 'all of them or none').toBe(words);
    const active = async () => (await app.call('links.list', {}, browser)).body.counts.active;
    expect(await active()).toBe(2);
    expect((await extend([first])).status, 'there is room for one').toBe(200);
    expect((await extend([second])).body.message).toBe(words);
    const update = (linkId: unknown, more: object) => app.call('links.update', { linkId, ...more }, browser);
    expect((await update(second, end)).body.message).toBe(words);
    expect(await active()).toBe(3);

    // What is active already takes no room by living longer, nor does a word about what is over.
    await set(2);
    expect((await extend([alive, other])).status).toBe(200);
    expect((await update(second, { password: 'violet-harbour' })).status).toBe(200);
    expect((await update(alive, end)).status).toBe(200);

    // Many at once find the same room as one after the other.
    await set(1);
    await app.call('links.revoke', { linkIds: [first, other] }, browser);
    later(50 * hour);
    const both = await Promise.all([alive, second].map((id) => extend([id])));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    await set(2000);
    app.setNow(noon);
  });
});
