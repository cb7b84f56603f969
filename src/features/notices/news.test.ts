import { afterAll, beforeAll, expect, it } from 'vitest';
import { must, readRows, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

it('what a creator agreed to in the setup can be changed at any time, and the audit says each change once', async () => {
  const { userId, browser } = await signUpCreator(app);
  const other = await signUpCreator(app);
  const change = (input: object) => must(app, 'notices.change', input, browser);
  const wantsNews = async (whose = browser) => (await must(app, 'notices.settings', {}, whose)).wantsNews;
  expect(await wantsNews()).toBe(false);
  await change({ wantsNews: true });
  await change({ wantsNews: true });
  await change({ channels: { storage: 'off' } });
  expect([await wantsNews(), await wantsNews(other.browser)]).toEqual([true, false]);
  await change({ wantsNews: false });
  expect(await wantsNews()).toBe(false);
  const audited = `select details from audit_log where action = 'account.news' and actor_id = $1 order by id`;
  expect(await readRows(app, audited, [userId])).toEqual([
    { details: { wantsNews: true } },
    { details: { wantsNews: false } },
  ]);
});
