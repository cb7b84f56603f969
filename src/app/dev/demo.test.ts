import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { trySeedDemo } from './demo.ts';

const root = mkdtempSync(path.join(tmpdir(), 'pf-demo-root-'));
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  // A drawing that ends well and has drawn nothing: the albums cannot be filled.
  const scenes = path.join(root, 'db/scenes');
  mkdirSync(scenes, { recursive: true });
  writeFileSync(path.join(scenes, 'draw-child.ts'), '');
});
afterAll(async () => {
  await app.close();
  rmSync(root, { recursive: true });
});

it('a demo that fails once its accounts exist prints them all the same, and they can be used', async () => {
  const said: string[] = [];
  await trySeedDemo(app.engines, root, (words) => said.push(words));
  expect(said).toEqual([
    expect.stringContaining('Demo accounts, shown only once:'),
    expect.stringMatching(/^The demo could not be created: .*\. The next start will try again\.$/),
  ]);
  const accounts = [...(said[0] ?? '').matchAll(/^ {2}\w+ +(\S+@\S+) +(\S+)(?: {3}\(.*\))?$/gm)];
  expect(accounts.map(([, email]) => email)).toEqual(['creator@example.com', 'admin@example.com']);
  for (const [, email, password] of accounts)
    expect(await app.call('accounts.signIn', { email, password }, newBrowser())).toMatchObject({ status: 200 });
});
