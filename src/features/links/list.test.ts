import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tx } from '#engines/database/work.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { writeSetting } from '#features/settings/store.ts';
import { type HouseInTest, openHouse } from '#tests/support/house.ts';
import { signUpCreator } from '#tests/support/people.ts';
import { addReadyAlbum } from '#tests/support/ready-album.ts';

let house: HouseInTest;
const noon = '2026-11-21T12:00:00Z';
const hour = 3_600_000;

beforeAll(async () => {
  house = await openHouse({ now: noon });
});
afterAll(() => house.close());

const asSystem = <T>(run: (tx: Tx) => Promise<T>) => house.engines.database.work({ kind: 'system' }, run);
const later = (ms: number) => house.setNow(new Date(Date.parse(noon) + ms).toISOString());

describe('the list', () => {
  it('filters, counts, searches and goes on where a page ended', async () => {
    const { browser } = await signUpCreator(house);
    const me = (await house.call('accounts.me', {}, browser)).body.user.id;
    const sea = await addReadyAlbum(house, me, { name: 'Sea week' });
    const makeOne = async (input: object) =>
      (await house.call('links.create', { albumIds: [sea], ...input }, browser)).body;
    const names = ['Ann', 'Bob', 'Cleo', 'Dan', 'Eli'];
    for (const [at, name] of names.entries()) {
      later(at * 1000);
      await makeOne({ recipientName: name, expiry: { kind: 'after', hours: name === 'Eli' ? 1 : 48 } });
    }
    const list = async (input: object = {}) => (await house.call('links.list', input, browser)).body;
    const all = await list();
    expect(all.links.map(({ recipientName }: { recipientName: string }) => recipientName)).toEqual(
      [...names].reverse(),
    );
    await house.call('links.revoke', { linkIds: [all.links[1].id] }, browser);
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
    expect((await list({ albumId: await addReadyAlbum(house, me) })).links).toEqual([]);
    house.setNow(noon);
  });
  it('stops at the limit of active links, also for many at once', async () => {
    const { browser, userId } = await signUpCreator(house);
    const own = await addReadyAlbum(house, userId);
    const set = (value: number) =>
      asSystem((tx) => writeSetting(tx, { key: 'limits.links', value, by: null, now: new Date() }));
    await set(3);
    await expect.poll(async () => (await settingsOf(house.engines))['limits.links']).toBe(3);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => house.call('links.create', { albumIds: [own] }, browser)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    const linkIds = [answers.find(({ status }) => status === 200)?.body.id];
    const undo = () => house.call('links.undoRevoke', { linkIds }, browser);
    await house.call('links.revoke', { linkIds }, browser);
    expect((await undo()).status).toBe(200);
    await house.call('links.revoke', { linkIds }, browser);
    expect((await house.call('links.create', { albumIds: [own] }, browser)).status).toBe(200);
    expect((await undo()).body.message, 'nor is one brought back beyond it').toBe(
      'You have reached 3 active links. Revoke one first.',
    );
    await set(2000);
  });
});
