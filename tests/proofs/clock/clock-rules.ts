import { expect } from 'vitest';
import type { Look } from '#tests/support/media/shared-video.ts';
import { newBrowser } from '#tests/support/test-app.ts';
import { app, type Ending, never, newLink, opens, shared, type Use, works } from './clock-app.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Opens a new link to the video. */
async function openVideo(rules: object, expiry: object = { kind: 'never' }): Promise<Look> {
  const { id, slug } = await newLink(rules, { albumIds: [shared.videoAlbumId], expiry });
  const browser = newBrowser();
  const { visitId } = (await shared.viewerApi.tap(slug, {}, browser)).head;
  return { browser, visitId, linkId: id, slug };
}
/** Borrows keys of a video. @returns whether its lease still brings the video's bytes */
async function borrowSeconds(look: Look): Promise<Use> {
  const [lease] = await shared.someKeys(look);
  return async () => {
    const { packId = '', token = '' } = lease ?? {};
    return (await shared.askBytes(packId, 0, token, '0-15')).status === 206;
  };
}
const lendsSeconds = async (look: Look) =>
  (await shared.askKeys(look, [{ track: 'v720', from: 0, count: 10 }])).status === 200;

/** What a link's rules and the keys of a video begin and end by, which no column of its own holds. */
export const ruleProofs: Record<string, Ending> = {
  'notBefore, which keeps it closed': {
    livesMs: hour,
    async make() {
      const notBefore = new Date(app.engines.clock() + hour).toISOString();
      const { slug } = await newLink({ notBefore }, never);
      return async () => !(await opens(slug));
    },
  },
  'openForMs, by another tap': {
    livesMs: 2 * minute,
    async make() {
      const { slug } = await newLink({ openForMs: 2 * minute }, never);
      const viewer = newBrowser();
      expect(await opens(slug, {}, viewer)).toBe(true);
      return () => opens(slug, {}, viewer);
    },
  },
  'openForMs, on an open screen': {
    livesMs: 2 * minute,
    async make() {
      const { visitId, browser } = await openVideo({ openForMs: 2 * minute });
      return () => works('viewing.renew', { visitId, samples: [], idleMs: 0 }, browser);
    },
  },
  'openForMs, by keys of a video': {
    livesMs: 2 * minute,
    async make() {
      const look = await openVideo({ openForMs: 2 * minute });
      return () => lendsSeconds(look);
    },
  },
  'viewBudgetMs, by keys of a video': {
    livesMs: minute,
    async make() {
      const look = await openVideo({ viewBudgetMs: minute });
      const began = app.engines.clock();
      return async () => {
        const { mediaId } = shared.video;
        const samples = [{ mediaId, visibleMs: Math.min(minute, app.engines.clock() - began) }];
        const beat = { visitId: look.visitId, samples, idleMs: 0, lookingAt: mediaId };
        await app.call('viewing.renew', beat, look.browser);
        return lendsSeconds(look);
      };
    },
  },
  'a lease of a video': {
    livesMs: 30_000,
    make: async () => borrowSeconds(await openVideo({})),
  },
  'a lease of a video whose link ends before it': {
    livesMs: 10_000,
    async make() {
      const at = new Date(app.engines.clock() + 10_000);
      return borrowSeconds(await openVideo({}, { kind: 'at', at }));
    },
  },
};
