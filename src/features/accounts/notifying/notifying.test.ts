import { afterAll, beforeAll, expect, it } from 'vitest';
import { readRows, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { notifyAccounts } from './notifying.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

const reported = async (userId: string) =>
  (
    await readRows<{ event: string; about: object }>(
      app,
      'select event, about from notices where user_id = $1 order by id',
      [userId],
    )
  ).map(({ event, about }) => ({ event, ...about }));
const tell = () => notifyAccounts(app.engines);

it('a storage that fills up is told at 80 and at 95 percent, once each, and again after room was made', async () => {
  const { userId } = await signUpCreator(app);
  // Of the 2 GB of a trial.
  const steps = [
    [1_599_999_999, []],
    [1_600_000_000, [80]],
    [1_899_999_999, [80]],
    [1_900_000_000, [80, 95]],
    [2_000_000_000, [80, 95]],
    [100, [80, 95]],
    [1_950_000_000, [80, 95, 95]],
    [1_700_000_000, [80, 95, 95]],
    [1_950_000_000, [80, 95, 95, 95]],
  ] as const;
  const percentsTold = async () =>
    (await reported(userId)).map((one) => ('percent' in one ? one.percent : one.event)).sort();
  for (const [bytes, percents] of steps) {
    await readRows(app, 'update users set storage_used_bytes = $2 where id = $1', [userId, bytes]);
    await Promise.all([tell(), tell()]);
    await tell();
    expect([bytes, await percentsTold()]).toEqual([bytes, percents]);
  }
});

it('a trial is told of two days before its end and at its end, and no more once there is a plan', async () => {
  const [stays, pays] = [await signUpCreator(app), await signUpCreator(app)];
  const at = '2026-11-28T12:00:00.000Z';
  for (const [now, stages] of [
    ['2026-11-26T11:59:59.999Z', []],
    ['2026-11-26T12:00:00.000Z', ['ends']],
    ['2026-11-28T11:59:59.999Z', ['ends']],
    ['2026-11-28T12:00:00.000Z', ['ends', 'ended']],
    ['2026-12-28T12:00:00.000Z', ['ends', 'ended']],
  ] as const) {
    app.setNow(now);
    await tell();
    await readRows(app, `update users set subscription_status = 'active' where id = $1`, [pays.userId]);
    expect([now, await reported(stays.userId)]).toEqual([now, stages.map((stage) => ({ event: 'trial', stage, at }))]);
  }
  expect(await reported(pays.userId)).toEqual([]);
});
