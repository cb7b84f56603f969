import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openNodeAv } from '#engines/video/node-av.ts';
import { canDrawClips, tellNoClips } from '#tests/support/clips.ts';
import { type HouseInTest, newBrowser, openHouse } from '#tests/support/house.ts';
import { type FilmPiece, openFilm } from '#tests/support/open-film.ts';
import { chunksOf } from '#tests/support/open-pack.ts';
import { type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { openSalon, type Salon } from '#tests/support/salon.ts';
import { sendFile } from '#tests/support/send-file.ts';
import { hasExiftool, type Shot, tellingTags } from './camera-traces.ts';
import { isFull, tellProof } from './counts.ts';
import { drawTellingFilm, findTellingFilms, strangersIn, tellingFilmTags, wordsOf } from './film-traces.ts';

if (!canDrawClips) tellNoClips();

/** What this machine has is hidden from whoever looks for it, name by name: then the engine that npm ships stands in. */
const hidden = vi.hoisted(() => new Set<string>());
vi.mock('node:fs', async (load) => {
  const real = await load<typeof import('node:fs')>();
  const existsSync: typeof real.existsSync = (file) =>
    !hidden.has(String(file).split('/').at(-1) ?? '') && real.existsSync(file);
  return { ...real, existsSync };
});

let house: HouseInTest;
let salon: Salon;
let creator: Person;
let albumId: string;
const made: { id: string; film: Shot }[] = [];

async function open(): Promise<void> {
  made.length = 0;
  house = await openHouse();
  salon = await openSalon(house);
  creator = await signUpCreator(house);
  if (!house.app.server.listening) await house.app.listen({ port: 0, host: '127.0.0.1' });
  albumId = (await house.call('albums.create', { name: 'Tour' }, creator.browser)).body.id;
}
beforeAll(open, 120_000);
afterAll(() => house.close());

/** What a piece tells, found without any program. */
function tracesIn({ what, bytes, kind }: FilmPiece, words: readonly string[]): string[] {
  const found = words.filter((word) => bytes.includes(word, 0, 'latin1'));
  if (kind === 'film') found.push(...strangersIn(bytes));
  else found.push(...chunksOf(bytes).filter((chunk) => chunk !== 'VP8 '));
  return found.map((trace) => `${trace} in ${what}`);
}

/** Everything that a viewer of a link to the films gets besides their pictures, sound and keys. */
async function* openAnswers(): AsyncGenerator<[string, string]> {
  const input = { albumIds: [albumId], rules: { ageGate: false }, isLaxConfirmed: true };
  const { slug } = (await house.call('links.create', input, creator.browser)).body;
  const viewer = newBrowser();
  const { head, headers } = await salon.tap(slug, { firstScreen: 24 }, viewer);
  yield ['the list', JSON.stringify([head, ...headers])];
  for (const { id } of made) {
    const fetchText = async (name: string) =>
      (await salon.fetch(`/api/view/films/${head.visitId}/${id}/${name}`, {}, viewer)).text();
    const index = await fetchText('main.m3u8');
    expect(index).toContain('#EXTM3U');
    yield ['its playlist', index];
    for (const [name] of index.matchAll(/[\w-]+\.m3u8/g)) yield [name, await fetchText(name)];
    const wanted = { visitId: head.visitId, mediaId: id, tracks: [{ track: 'v720', from: 0, count: 1 }] };
    const lent = await house.call('viewing.filmKeys', wanted, viewer);
    expect(lent.status).toBe(200);
    yield ['keys', JSON.stringify(lent)];
  }
}

/** Sends films, and searches everything that becomes of them. */
async function searchAll(films: readonly Shot[], engine: string): Promise<void> {
  for (const film of films) {
    // The searches below find something in every file itself.
    expect([film.name, wordsOf(film).length > 1]).toEqual([film.name, true]);
    expect(film.bytes.includes('udta') || film.bytes.includes('meta')).toBe(true);
    made.push({ film, id: (await sendFile(house, creator, albumId, film)).id });
  }
  const ids = made.map(({ id }) => id);
  await vi.waitFor(
    async () => {
      const rows = await readRows(house, 'select state, removed from media where id = any($1)', [ids]);
      expect(rows.map(({ state }) => state)).toEqual(films.map(() => 'ready'));
      for (const { removed } of rows) expect(removed).toContain('location');
    },
    { timeout: 900_000, interval: 200 },
  );
  const words = films.flatMap(wordsOf);
  const found: string[] = [];
  const kinds = new Map<string, number>();
  for (const { id } of made)
    for await (const piece of openFilm(house, id)) {
      kinds.set(piece.kind, (kinds.get(piece.kind) ?? 0) + 1);
      found.push(...tracesIn(piece, words));
    }
  let answers = 0;
  for await (const [what, text] of openAnswers()) {
    answers++;
    found.push(...words.filter((word) => text.includes(word)).map((word) => `${word} in ${what}`));
  }
  const pieces = [...kinds.values()].reduce((sum, count) => sum + count, answers);
  tellProof(`metadata-film, ${engine}`, pieces, { films: films.length, words: words.length, hits: found.length });
  expect(found).toEqual([]);
  expect(kinds.get('teaser')).toBe(films.length);
  expect(kinds.get('film')).toBeGreaterThanOrEqual(3 * films.length);
  expect(kinds.get('tile')).toBeGreaterThan(20 * films.length);
  expect(answers).toBeGreaterThan(3 * films.length);
}

test.runIf(canDrawClips)(
  'R8: nothing that a camera wrote is in anything of a film that a viewer can come to (PiGallery2 3.6, Ghost 6.65)',
  () => searchAll(findTellingFilms(), 'the ffmpeg of this machine'),
  1_200_000,
);

test.runIf(canDrawClips && hasExiftool())(
  'R8: exiftool reads nothing but measures in a film as a viewer puts it together, and in its pictures',
  async () => {
    expect(made.length).toBeGreaterThan(0);
    for (const { id, film } of made) {
      expect([film.name, tellingFilmTags(film.bytes).length > 0]).toEqual([film.name, true]);
      const pictures = new Set<string>();
      for await (const { what, bytes, kind } of openFilm(house, id)) {
        const [track = ''] = what.split(' ');
        // One tile of a picture is written by the same hand as the others.
        if (kind !== 'film' && pictures.has(track)) continue;
        pictures.add(track);
        expect([what, kind === 'film' ? tellingFilmTags(bytes) : tellingTags(bytes)]).toEqual([what, []]);
      }
      expect([...pictures].toSorted()).toEqual(
        expect.arrayContaining(['poster', 'posterthumb', 'storyboard', 'teaser', 'v720']),
      );
    }
  },
  600_000,
);

test.runIf(canDrawClips)(
  'R8: nor where the engine that npm ships makes it',
  async ({ skip }) => {
    if (openNodeAv() === undefined) return skip('npm ships no engine for this machine');
    await house.close();
    hidden.add('ffmpeg').add('ffprobe');
    await open();
    const told = vi.spyOn(house.engines.log, 'info');
    await searchAll(isFull ? findTellingFilms() : [drawTellingFilm()], 'the engine that npm ships');
    expect(told.mock.calls).toContainEqual([
      { engine: expect.stringMatching(/^node-av/) },
      'films are read by this engine',
    ]);
    hidden.clear();
  },
  1_200_000,
);

test.runIf(canDrawClips)(
  'R8, planted: a film that is kept as it came is found by its words, its boxes and its tags',
  () => {
    const film = drawTellingFilm();
    const found = tracesIn({ what: 'it', bytes: film.bytes, kind: 'film' }, wordsOf(film)).join('\n');
    for (const trace of ['+48.8583+002.2945', 'Telephone-Canary', 'udta', 'meta', 'a time', 'a language', 'a name'])
      expect(found).toContain(trace);
    if (!hasExiftool()) return;
    const tags = tellingFilmTags(film.bytes).join('\n');
    for (const trace of ['48 deg 51', 'Telephone-Canary', 'Comment-Canary', '2019:07:14', 'Handler-Canary'])
      expect(tags).toContain(trace);
  },
);
