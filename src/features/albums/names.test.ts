import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let mia: Person;
const names = ['Zebra', 'apple', 'Café', 'Straße 10', 'Straße 9', 'Éclair', 'Room 100', 'Room 20', 'Жираф', 'cafe 2'];

beforeAll(async () => {
  app = await openTestApp();
  mia = await signUpCreator(app);
  for (const name of names) await app.call('albums.create', { name, peopleConsent: 'only_me' }, mia.browser);
});
afterAll(() => app.close());

const list = async (input: object) => (await app.call('albums.list', input, mia.browser)).body;
const namesOf = ({ albums }: { albums: { name: string }[] }) => albums.map(({ name }) => name);

describe('albums by their names', () => {
  it.each([
    ['cafe', ['Café', 'cafe 2']],
    ['CAFE\u0301', ['Café', 'cafe 2']],
    ['strasse', ['Straße 10', 'Straße 9']],
    ['ÉCL', ['Éclair']],
    ['жир', ['Жираф']],
    ['%', []],
  ])('are found by %s, however it is written', async (search, found) => {
    expect(namesOf(await list({ search, sort: 'name' })).sort()).toEqual([...found].sort());
  });

  it('stand in the order of a phone book, numbers by their value, from page to page', async () => {
    const ordered = [
      'apple',
      'Café',
      'cafe 2',
      'Éclair',
      'Room 20',
      'Room 100',
      'Straße 9',
      'Straße 10',
      'Zebra',
      'Жираф',
    ];
    expect(namesOf(await list({ sort: 'name' }))).toEqual(ordered);
    const paged = [];
    for (let cursor: string | undefined, isMore = true; isMore; ) {
      const page = await list({ sort: 'name', limit: 3, ...(cursor !== undefined && { cursor }) });
      paged.push(...namesOf(page));
      cursor = page.nextCursor ?? undefined;
      isMore = cursor !== undefined;
    }
    expect(paged).toEqual(ordered);
  });

  it('stand in much the same order on a server without the collations of ICU', async () => {
    const { rows } = await app.engines.database.work({ kind: 'system' }, ({ db }) =>
      sql<{ name: string }>`select name from albums order by natural_key(search_text) collate "C"`.execute(db),
    );
    expect(rows.map(({ name }) => name)).toEqual(namesOf(await list({ sort: 'name' })));
  });

  it('are found by a new name after a change, and no longer by the old one', async () => {
    const { id } = (await app.call('albums.create', { name: 'Ñandú', peopleConsent: 'only_me' }, mia.browser)).body;
    await app.call('albums.update', { albumId: id, name: 'Œuvre' }, mia.browser);
    expect(namesOf(await list({ search: 'oeuv' }))).toEqual(['Œuvre']);
    expect(namesOf(await list({ search: 'nandu' }))).toEqual([]);
    await app.call('albums.update', { albumId: id, description: 'A bird' }, mia.browser);
    expect(namesOf(await list({ search: 'oeuv' }))).toEqual(['Œuvre']);
    await app.call('albums.remove', { albumId: id }, mia.browser);
  });
});

it('a made-up place in a list is refused, by time and by name', async () => {
  for (const [sort, cursor] of [
    ['newest', 'yesterday|x'],
    ['oldest', `2026-99-99T00:00:00.000Z|${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`],
    ['name', 'A|not-an-id'],
  ])
    for (const procedure of ['albums.list', 'links.list'])
      expect((await app.call(procedure, { sort, cursor }, mia.browser)).status, `${procedure} ${sort}`).toBe(422);
});
