import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { runInvite } from '#features/accounts/commands.ts';
import { makeAdmin } from '#features/accounts/store.ts';
import { goodPassword, must, type Person, readRow, readRows, signUpCreator } from '#tests/support/people.ts';
import { shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { readConfig } from './config.ts';
import { openEngines } from './engines.ts';
import { openLog } from './log.ts';
import { checkSandboxUse, retireSandbox } from './sandbox-use.ts';
import { changeSetting } from './settings-command.ts';

let app: TestApp;
let demo: Person;
let slug: string;
let real: Person;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  const shared = await shareAlbum(app, { count: 1 });
  demo = shared.creator;
  ({ slug } = await shared.makeLink({}));
  real = await signUpCreator(app, { email: 'mia@studio.de' });
  await changeSetting(app.engines, 'marketing.demoLinkSlug', slug);
  for (const { email } of [demo, real])
    await app.engines.database.work({ kind: 'system' }, (tx) => makeAdmin(tx, email));
});
afterAll(() => app.close());

const startAs = (isSandbox: boolean) =>
  checkSandboxUse({ ...app.engines, installation: { ...app.engines.installation, isSandbox } });
const signIn = async ({ email }: Person) =>
  (await app.call('accounts.signIn', { email, password: goodPassword }, newBrowser())).status;
const count = async (table: string) =>
  Number((await readRow<{ n: string }>(app, `select count(*) as n from ${table}`)).n);

it('a live installation that was never a sandbox starts, and nobody is signed out by retiring', async () => {
  await startAs(false);
  expect(await retireSandbox(app.engines)).toBe('There are no test payments.');
  expect((await must(app, 'accounts.me', {}, real.browser)).user).not.toBeNull();
});

it.runIf(inject('outside') === null)(
  'a live start over the data of a sandbox is refused, also without any payment',
  async () => {
    await startAs(true);
    await startAs(true);
    const { host, port, user, database } = app.engines.database.connection;
    const dataDir = mkdtempSync(path.join(tmpdir(), 'pf-live-'));
    const config = readConfig({
      DATA_DIR: dataDir,
      DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(String(host))}&port=${port}`,
      PF_SECRET: Buffer.alloc(32, 7).toString('base64'),
      PF_KEYS: `first:${Buffer.alloc(32, 7).toString('base64')}`,
      PUBLIC_URL: 'https://fans.studio.de',
      SMTP_URL: 'smtp://localhost:2525',
      MAIL_FROM: 'hello@studio.de',
    });
    const root = path.resolve(import.meta.dirname, '../..');
    await expect(openEngines(config, openLog('silent'), root)).rejects.toThrow('pf -- retire-test-payments');
    rmSync(dataDir, { recursive: true });
  },
);

it('retiring ends demo accounts, their role and links, every session and every code; real people sign in again', async () => {
  await startAs(true);
  await expect(startAs(false)).rejects.toThrow('used as a sandbox');
  await must(app, 'accounts.askForPassword', { email: real.email }, newBrowser());
  expect(await count('email_tokens')).toBeGreaterThan(0);
  const invite = { verb: 'Friends', id: undefined, days: 'forever', places: undefined, openDays: undefined };
  const [, token = ''] = /\/free-join\/(\w{22})$/m.exec(await runInvite(app.engines, invite)) ?? [];
  expect((await must(app, 'accounts.invitation', { token }, newBrowser())).days).toBeNull();

  const words = await retireSandbox(app.engines);
  expect(words).toContain('1 demo account suspended, 1 administrator among them.');
  expect(words).toContain('Still an administrator: mia@studio.de.');
  expect(words).toContain('1 invitation revoked.');
  expect((await app.call('accounts.invitation', { token })).status).not.toBe(200);

  for (const { browser } of [demo, real]) expect((await must(app, 'accounts.me', {}, browser)).user).toBeNull();
  expect([await signIn(demo), await signIn(real)]).toEqual([401, 200]);
  expect((await app.call('viewing.open', { slug }, newBrowser())).status).not.toBe(200);
  expect(await count('email_tokens')).toBe(0);
  expect(
    await readRows(app, "select 1 from mail_outbox where state = 'queued' or body_text <> '' or parts is not null"),
  ).toEqual([]);
  expect(await readRows(app, "select 1 from app_settings where key = 'marketing.demoLinkSlug'")).toEqual([]);
  await startAs(false);
});

it('a second time as a sandbox is retired again', async () => {
  await startAs(true);
  await expect(startAs(false)).rejects.toThrow('used as a sandbox');
  expect(await retireSandbox(app.engines)).toContain('0 demo accounts suspended');
  await startAs(false);
});
