import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { canDrawClips, tellNoClips } from '#tests/support/clips.ts';
import { type Browser, type HouseInTest, newBrowser, openHouse } from '#tests/support/house.ts';
import { drawFilm, recode, watchFilm } from '#tests/support/leaked-clips.ts';
import { untilTraced, upload } from '#tests/support/leaks.ts';
import { type Person, pass, signUpCreator } from '#tests/support/people.ts';
import { openSalon, type Salon } from '#tests/support/salon.ts';
import { sendFile } from '#tests/support/send-file.ts';

if (!canDrawClips) tellNoClips();
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

let house: HouseInTest;
let salon: Salon;
let creator: Person;
let albumId: string;
let filmId: string;

/** Somebody whose link shows the film, and what their player got of it. */
interface Watcher {
  linkId: string;
  browser: Browser;
  visitId: string;
  film: Buffer;
}

async function invite(linkName: string): Promise<Watcher> {
  const rules = { ageGate: false };
  const input = { albumIds: [albumId], linkName, recipientName: linkName, rules, isLaxConfirmed: true };
  const { body: link } = await house.call('links.create', input, creator.browser);
  pass(house, 1000);
  const browser = newBrowser();
  const { visitId } = (await salon.tap(link.slug, {}, browser)).head;
  return { linkId: link.id, browser, visitId, film: await watchFilm({ house, salon, visitId, browser }, filmId) };
}

async function trace(bytes: Buffer, query = `?albumId=${albumId}`) {
  pass(house, 1000);
  const { status, body } = await upload({ salon }, bytes, creator.browser, query);
  expect(status).toBe(201);
  return untilTraced({ house }, body.traceId, creator.browser);
}

describe.runIf(canDrawClips)('a leaked clip', () => {
  let bob: Watcher;
  beforeAll(async () => {
    house = await openHouse();
    salon = await openSalon(house);
    creator = await signUpCreator(house);
    if (!house.app.server.listening) await house.app.listen({ port: 0, host: '127.0.0.1' });
    albumId = (await house.call('albums.create', { name: 'Films' }, creator.browser)).body.id;
    filmId = (await sendFile(house, creator, albumId, { name: 'film.mp4', bytes: await drawFilm() })).id;
    const stateOf = () =>
      house.engines.database.work({ kind: 'system' }, ({ db }) =>
        db.selectFrom('media').select('state').where('id', '=', filmId).executeTakeFirst(),
      );
    await vi.waitFor(async () => expect((await stateOf())?.state).toBe('ready'), { timeout: 300_000, interval: 200 });
    bob = await invite('Bob');
    await invite('Carl');
  });
  beforeEach(() => pass(house, 1000));
  afterAll(() => house.close());

  it('names the link whose mixture it is, coded anew', async () => {
    const answer = await trace(recode(bob.film, ['-c:v', 'libx264', '-crf', '30', '-vf', 'scale=568:320']));
    expect(answer).toMatchObject({ state: 'done', outcome: 'traced', links: [{ linkId: bob.linkId, word: 'traced' }] });
  });
});
