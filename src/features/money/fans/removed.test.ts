import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedAlbum } from '#tests/support/media/pictures.ts';
import { countOf, type FanStage, makeTier, openFanStage } from '#tests/support/money/fans.ts';
import { removeAlbum } from '#tests/support/money/removing.ts';
import { advance, listTemplates, readRow, readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { findDrift } from '../reconcile.ts';
import { settleFans } from './fan-jobs.ts';

const day = 86_400_000;
let app: TestApp;
let stage: FanStage;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  stage = await openFanStage(app);
});
afterAll(() => app.close());

const backOf = (orderId: string | undefined) =>
  readRows(app, 'select amount_cents, state, reason, note from refunds where order_id = $1', [orderId]);

it('ends a subscription, with what is left of its time, once all that it opens was removed after reports, and not before', async () => {
  const { albumId, photos } = stage.shared;
  const other = await seedAlbum(
    app,
    stage.creator.userId,
    photos.map(({ mediaId }) => mediaId),
  );
  const tier = await makeTier(app, stage.creator, { name: 'Two albums', albumIds: [albumId, other] });
  const [ofTwo, ofAll] = [
    await stage.makeFan({ tier, rules: { offers: [{ id: 'fans', all: [{ kind: 'fan_sub', tierIds: [tier] }] }] } }),
    await stage.makeFan(),
  ];
  const third = await seedAlbum(app, stage.creator.userId, []);
  const look = async () => {
    await settleFans(app.engines, 0);
    return [(await stage.rowOf(ofTwo))?.ended, (await stage.rowOf(ofAll))?.ended];
  };
  advance(app, 15 * day);
  await removeAlbum(app, albumId);
  expect(await look(), 'the other album is left').toEqual([false, false]);
  await removeAlbum(app, other, 'hidden');
  expect(await look(), 'it may come back').toEqual([false, false]);
  await readRows(
    app,
    `update reports set state = 'removed', decided_at = $1, reason = 'No consent.' where state = 'hidden'`,
    [new Date(app.engines.clock())],
  );
  expect(await look(), 'who has every album has a third one').toEqual([true, false]);
  const [month] = await stage.monthsOf(ofTwo);
  const note = 'What was paid for was taken down.';
  const back = [{ amount_cents: 500, state: 'succeeded', reason: 'platform_decision', note }];
  expect(await backOf(month?.id)).toEqual(back);
  expect(countOf(await listTemplates(app, ofTwo.email), 'fan_ended')).toBe(1);
  const { body_text } = await readRow(
    app,
    `select body_text from mail_outbox where template = 'fan_ended' and recipient = $1`,
    [ofTwo.email],
  );
  expect(body_text).toContain('$5.00');
  await removeAlbum(app, third);
  expect(await look()).toEqual([true, true]);
  await look();
  expect(await backOf(month?.id)).toEqual(back);
  expect(await backOf((await stage.monthsOf(ofAll))[0]?.id)).toHaveLength(1);
  expect(await findDrift(app.engines)).toEqual([]);
});
