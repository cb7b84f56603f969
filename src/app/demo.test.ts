import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settingsOf } from '#features/settings/settings.ts';
import { readRows } from '#tests/support/people.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { seedDemo, trySeedDemo } from './demo.ts';

const root = path.resolve(import.meta.dirname, '../..');
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const counts = async () =>
  (
    await readRows(
      app,
      `select (select count(*)::int from users where setup_step = 'done') as people, (select count(*)::int from albums) as albums,
        (select count(*)::int from album_items) as items, (select count(*)::int from magic_links) as links`,
    )
  )[0];

/** Begins the demo and breaks it off as soon as the database holds this. */
async function breakOffAt(what: 'people' | 'items', number: number): Promise<void> {
  const ending = new AbortController();
  const seeding = seedDemo(app.engines, root, ending.signal);
  const ended = expect(seeding).rejects.toMatchObject({ name: 'AbortError' });
  while (Number((await counts())?.[what]) < number) await wait(10);
  ending.abort();
  await ended;
}

test('a demo that is broken off again and again is finished by the next start, once', {
  timeout: 240_000,
}, async () => {
  await breakOffAt('people', 1);
  await breakOffAt('items', 3);
  await breakOffAt('items', 9);
  // A demo that fails ends no start: it is said in one line, and the next start goes on.
  expect(await trySeedDemo(app.engines, '/nowhere')).toMatch(
    /^The demo could not be created: .+\. The next start will try again\.$/,
  );
  expect(await counts()).toMatchObject({ links: 0 });
  const words = await trySeedDemo(app.engines, root);
  expect(await counts()).toEqual({ people: 2, albums: 2, items: 12, links: 3 });
  expect(await readRows(app, `select state from media group by 1`)).toEqual([{ state: 'ready' }]);
  expect(existsSync(path.join(app.engines.installation.dataDir, 'demo-unfinished'))).toBe(false);

  // What is printed works: both passwords and the link.
  for (const who of ['creator', 'admin']) {
    const [, email = '', password = ''] = new RegExp(`${who} +(\\S+) +(\\S+)`).exec(words ?? '') ?? [];
    const browser = newBrowser();
    expect((await app.call('accounts.signIn', { email, password }, browser)).status).toBe(200);
    expect((await app.call('accounts.me', {}, browser)).body.isAdmin).toBe(who === 'admin');
  }
  const slug = (await settingsOf(app.engines))['marketing.demoLinkSlug'];
  expect(words).toContain(`/view/${slug}`);
  expect(await seedDemo(app.engines, root)).toBeUndefined();
});
