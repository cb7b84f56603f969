import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Look, type SharedVideo, shareVideo } from '#tests/support/media/shared-video.ts';
import { readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { listLeased } from './leased-ranges-store.ts';

let app: TestApp;
let shared: SharedVideo;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareVideo(app);
});
afterAll(() => app.close());

const grantOf = async ({ visitId }: Look) =>
  String((await readRows(app, 'select admission_id from viewer_sessions where id = $1', [visitId]))[0]?.admission_id);
const listAs = (userId: string, grantIds: string[], mediaId = shared.video.mediaId) =>
  app.engines.database.work({ kind: 'user', userId }, (tx) => listLeased(tx, userId, grantIds, [mediaId]));

describe('the seconds that were lent', () => {
  it('are those of every rung together, of each grant alone, and of the picture', async () => {
    const [one, other, none] = [await shared.open(), await shared.open(), await shared.open()];
    await shared.someKeys(one, [{ track: 'v480', from: 0, count: 10 }]);
    await shared.someKeys(one, [{ track: 'v720', from: 8, count: 4 }]);
    await shared.someKeys(one, [{ track: 'v720', from: 20, count: 2 }]);
    await shared.someKeys(one, [{ track: 'audio', from: 3, count: 2 }]);
    await shared.someKeys(other, [{ track: 'v720', from: 3, count: 1 }]);
    await shared.someKeys(none, [{ track: 'audio', from: 0, count: 2 }]);
    const [first, second, third] = [await grantOf(one), await grantOf(other), await grantOf(none)];
    const { userId } = shared.creator;
    const { mediaId } = shared.video;
    const reported = await listAs(userId, [first, second, third]);
    expect(reported.toSorted((a) => (a.grantId === first ? -1 : 1))).toEqual([
      {
        grantId: first,
        mediaId,
        stretches: [
          [0, 12],
          [20, 22],
        ],
      },
      { grantId: second, mediaId, stretches: [[3, 4]] },
    ]);
    expect(await listAs(userId, [second])).toHaveLength(1);
    expect(await listAs(userId, [first], shared.photos[0]?.mediaId)).toEqual([]);
  });

  it('are not known where those of one rung were not noted', async () => {
    const look = await shared.open();
    await shared.someKeys(look, [{ track: 'v480', from: 0, count: 10 }]);
    const grantId = await grantOf(look);
    await readRows(app, 'update deliveries set lent_seconds = null where grant_id = $1', [grantId]);
    await shared.someKeys(look, [{ track: 'v720', from: 10, count: 10 }]);
    expect(await listAs(shared.creator.userId, [grantId])).toMatchObject([{ stretches: null }]);
  });
});
