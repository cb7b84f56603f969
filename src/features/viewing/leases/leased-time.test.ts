import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Look, type SharedVideo, shareVideo } from '#tests/support/media/shared-video.ts';
import { readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { leastLookMs } from './leased-time-store.ts';

/** A viewing time and a browser that never tells what it watches. */
let app: TestApp;
let shared: SharedVideo;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareVideo(app);
});
afterAll(() => app.close());

const lentMs = async ({ linkId }: Look) =>
  (await readRows(app, 'select lent_ms from link_viewers where link_id = $1', [linkId])).map(({ lent_ms }) => lent_ms);
const pass = (ms: number) => app.setNow(new Date(app.engines.clock() + ms).toISOString());
const renewSilently = ({ visitId, browser }: Look) =>
  app.call('viewing.renew', { visitId, samples: [], idleMs: 0 }, browser);
const aMinute = { viewBudgetMs: 60_000 };
const tenSeconds = [
  { track: 'v480', from: 0, count: 10 },
  { track: 'audio', from: 0, count: 3 },
];

/** Ten seconds of the picture, and twelve of the sound that goes with them. */
const msOfCall = 12 * leastLookMs(300);

describe('a viewing time', () => {
  it('is over for a browser that takes keys of a video and tells nothing, also when it asks many times at one moment', async () => {
    const look = await shared.open({ rules: aMinute });
    const calls = 60_000 / msOfCall;
    for (let n = 1; n < calls; n++) {
      expect([n, (await shared.askKeys(look, tenSeconds)).status]).toEqual([n, 200]);
      pass(15_000);
      expect((await renewSilently(look)).status).toBe(200);
    }
    const answers = await Promise.all(Array.from({ length: 6 }, () => shared.askKeys(look, tenSeconds)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410, 410, 410]);
    expect(await lentMs(look)).toEqual([60_000]);
    expect((await renewSilently(look)).body.data.reason).toBe('TIME_USED');
    expect((await shared.viewerApi.tap(look.slug, {}, look.browser)).refusal?.reason).toBe('TIME_USED');
  });

  it('is used up no faster than the clock by whoever is lent all that a minute allows', async () => {
    expect(leastLookMs(300) * 300 + leastLookMs(60) * 60).toBeLessThanOrEqual(60_000);
    const look = await shared.open({ rules: { viewBudgetMs: 120_000 } });
    for (let n = 0; n < 300 / 12; n++) expect((await shared.askKeys(look, tenSeconds)).status).toBe(200);
    expect((await shared.askKeys(look, tenSeconds)).status).toBe(429);
    expect((await lentMs(look))[0]).toBeLessThanOrEqual(30_000);
  });

  it('is used up by a photo once, however often it is lent', async () => {
    const look = await shared.open({ rules: aMinute, albumIds: [shared.albumId] });
    const photo = [{ mediaId: shared.photos[0]?.mediaId, rendition: 'p2048' }];
    for (let n = 0; n < 3; n++)
      expect((await shared.viewerApi.lease(look.visitId, photo, look.browser)).pictures).toHaveLength(1);
    expect(await lentMs(look)).toEqual([leastLookMs(60)]);
  });

  it("is not used up by keys where there is none, nor by the creator's own look", async () => {
    const endless = await shared.open();
    const browser = { cookies: new Map(shared.creator.browser.cookies) };
    const own = await shared.open({ rules: aMinute, browser });
    for (const look of [endless, own]) expect((await shared.askKeys(look, tenSeconds)).status).toBe(200);
    expect([await lentMs(endless), await lentMs(own)]).toEqual([[0], [0]]);
  });
});
