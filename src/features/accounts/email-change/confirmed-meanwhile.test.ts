import { afterAll, beforeAll, expect, it } from 'vitest';
import { minuteMs } from '#kit/time.ts';
import { confirmWhile, waitsForRow } from '#tests/support/confirming-meanwhile.ts';
import { advance, goodPassword, readEmail, readRows, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

it('an address stays with whoever confirms their sign-up at that very moment, and so does their account', async () => {
  const to = 'wanted-twice@example.com';
  expect((await app.call('accounts.signUp', { email: to, isAdult: true })).status).toBe(200);
  const mara = await signUpCreator(app);
  advance(app, minuteMs);
  const wish = { email: to, password: goodPassword };
  expect((await app.call('emailChange.begin', wish, mara.browser)).status).toBe(200);
  const { code } = await readEmail(app, to);
  const confirming = confirmWhile(app, to);
  await confirming.isUnderWay;
  const answer = app.call('emailChange.confirm', { code }, mara.browser);
  await waitsForRow(app);
  await confirming.commit();
  expect((await answer).status).toBe(409);
  expect(await readRows(app, 'select email_verified from users where email = $1', [to])).toEqual([
    { email_verified: true },
  ]);
});
