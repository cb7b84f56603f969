import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canDrawClips, warnNoClips } from '#tests/support/media/clips.ts';
import { makeHeic } from '#tests/support/media/heic.ts';
import { advance } from '#tests/support/people.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { type LeakWorld, openLeakWorld, untilTraced, upload } from '#tests/support/tracing/leaks.ts';
import { guards } from '../counts.ts';

guards('src/features/tracing/**', 'src/features/media/**');

/** Copies in every format that phones and messengers save. */
if (!canDrawClips) warnNoClips();

let app: TestApp;
let world: LeakWorld;
beforeAll(async () => {
  // What stands before the app says where somebody comes from.
  app = await openTestApp({ server: { trustedProxies: '127.0.0.1' } });
  world = await openLeakWorld(app);
});
afterAll(() => app.close());

const small = (screenshot: Buffer | undefined) => sharp(screenshot).resize(1000);

describe('a leaked copy', () => {
  it.for([
    ['WebP', true, 'NL', '193.0.6.139', (shot: Buffer) => small(shot).webp({ quality: 80 }).toBuffer()],
    ['HEIC', canDrawClips, 'JP', '133.11.0.1', async (shot: Buffer) => makeHeic(await small(shot).png().toBuffer())],
    ['AVIF', true, 'US', '8.8.8.8', (shot: Buffer) => small(shot).avif({ quality: 70, effort: 0 }).toBuffer()],
  ] as const)(
    'as %s names its link, and the country of the visit',
    async ([kind, canMake, country, address, save], { skip }) => {
      if (!canMake) return skip('there is no ffmpeg to make one');
      const browser = newBrowser({ 'x-forwarded-for': address });
      const guest = await world.invite(kind, undefined, browser);
      advance(app, 1000);
      const copy = await save(guest.screenshots[0] as Buffer);
      const { status, body } = await upload(world, copy, world.creator.browser);
      expect(status).toBe(201);
      const answer = await untilTraced({ app }, body.traceId, world.creator.browser);
      expect(answer).toMatchObject({
        state: 'done',
        outcome: 'traced',
        links: [{ linkId: guest.linkId, people: [{ visits: 1, country, isCountryEstimated: false }] }],
      });
    },
  );
});
