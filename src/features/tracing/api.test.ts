import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type HouseInTest, newBrowser, openHouse } from '#tests/support/house.ts';
import { type Guest, type LeakWorld, openLeakWorld, untilTraced, upload } from '#tests/support/leaks.ts';
import { paintJpeg } from '#tests/support/paint.ts';
import { readRows, signUpCreator } from '#tests/support/people.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
let house: HouseInTest;
let world: LeakWorld;
let [bob, carl, dora]: Guest[] = [];

beforeAll(async () => {
  house = await openHouse();
  world = await openLeakWorld(house);
  [bob, carl, dora] = [await world.invite('Bob'), await world.invite('Carl'), await world.invite('Dora')];
});
afterAll(() => house.close());

const known = (guest: Guest | undefined): Guest => guest ?? expect.fail('no guest');
const ask = (procedure: string, input: object, browser = world.creator.browser) =>
  house.call(`tracing.${procedure}`, input, browser);

async function trace(bytes: Buffer, query = '') {
  const { status, body } = await upload(world, bytes, world.creator.browser, query);
  expect(status).toBe(201);
  return untilTraced(world, body.traceId, world.creator.browser);
}

/** Saved again as a messenger does it. */
const resave = async (guest: Guest | undefined) =>
  sharp(await known(guest).screenshot())
    .resize(900)
    .jpeg({ quality: 70 })
    .toBuffer();

describe('a leaked copy', () => {
  it('names the link it came from and its viewer, with a chance in powers of ten', async () => {
    const answer = await trace(await resave(bob), `?albumId=${world.albumId}`);
    expect(answer).toMatchObject({
      state: 'done',
      outcome: 'traced',
      hasPreview: true,
      sentence: expect.stringMatching(
        /^This copy was made from what Bob was shown through Bob\. The chance that this is a coincidence is below 1 in (1,0|10,0|100,0)[0,]+\.$/,
      ),
      links: [{ linkId: known(bob).linkId, word: 'traced', isRevoked: false, people: [{ name: 'Bob', visits: 1 }] }],
      shownTo: [],
      ownLook: null,
    });
    expect(answer.numbers).toMatchObject({ issued: expect.any(Number), hypotheses: expect.any(Number) });
    expect(answer.items[0].tiles).toHaveLength(answer.items[0].columns * answer.items[0].rows);
    expect(known(carl).linkId).not.toBe(known(dora).linkId);
  });
});
