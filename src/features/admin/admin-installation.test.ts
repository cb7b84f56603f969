import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '#app/config.ts';
import { openAssistant, openStorage } from '#app/engines.ts';
import { openPayments } from '#app/payments.ts';
import type { Engines } from '#engines/engines.ts';
import { openSmtp } from '#engines/mail/smtp.ts';
import { makeAdministrator, must, readRows, signInQuickly, signUpCreator } from '#tests/support/people.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { addFigures, type CallFigure } from './figures-store.ts';
import { showInstallation } from './operations/installation.ts';
import { componentIds } from './operations-contract.ts';

/** Everything that is secret about an installation whose parts are all somebody else's. */
const secrets = {
  database: 'database-password',
  storage: 'storage-address-password',
  storageKeyId: 'storage-key-id',
  storageKey: 'storage-access-key',
  mail: 'mail-password',
  mailHook: `mail-hook-secret-${'x'.repeat(32)}`,
  provider: 'sk_test_providersecret',
  hook: 'whsec_providerhook',
  assistant: 'assistant-password',
  assistantKey: 'assistant-access-key',
  masterKey: randomBytes(32).toString('base64'),
  serverSecret: randomBytes(32).toString('base64'),
};

let app: TestApp;
let socketFolder: string;
let adminId: string;
let desk: Browser;
beforeAll(async () => {
  app = await openTestApp({
    workJobs: false,
    async databaseUrl(folder, name) {
      socketFolder = folder;
      return `postgres://pf:${secrets.database}@localhost/${name}?host=${encodeURIComponent(folder)}`;
    },
  });
  const admin = await signUpCreator(app, { email: 'admin@example.com' });
  await makeAdministrator(app, admin);
  adminId = admin.userId;
});
afterAll(() => app.close());
beforeEach(async () => {
  for (const table of ['call_figures', 'mail_outbox', 'rate_limits']) await readRows(app, `delete from ${table}`);
  desk = await signInQuickly(app, adminId);
});

const asSystem: Parameters<typeof showInstallation>[0]['asSystem'] = (run) =>
  app.engines.database.work({ kind: 'system' }, run);
const pulse = { version: '1.2.3', watch: async () => [], known: () => [] };
const placesOf = async (engines: Engines) => (await showInstallation({ engines, asSystem, pulse })).places;

/** The same installation with engines as an environment full of secrets opens them. */
async function openSecretEngines(): Promise<Engines> {
  const config = readConfig({
    PUBLIC_URL: 'https://fans.example.com',
    PF_MODE: 'sandbox',
    PF_KEYS: `k1:${secrets.masterKey}`,
    PF_SECRET: secrets.serverSecret,
    DATABASE_URL: `postgres://pf:${secrets.database}@db.example.com/pf`,
    S3_BUCKET: 'photos',
    S3_ENDPOINT: `https://user:${secrets.storage}@s3.example.com/?signature=${secrets.storage}`,
    S3_ACCESS_KEY_ID: secrets.storageKeyId,
    S3_SECRET_ACCESS_KEY: secrets.storageKey,
    SMTP_URL: `smtps://user:${secrets.mail}@mail.example.com`,
    MAIL_FROM: 'us@example.com',
    MAIL_HOOK_SECRET: secrets.mailHook,
    STRIPE_SECRET_KEY: secrets.provider,
    STRIPE_PUBLISHABLE_KEY: 'pk_test_known',
    STRIPE_WEBHOOK_SECRET: secrets.hook,
    ASSISTANT_URL: `https://user:${secrets.assistant}@models.example.com/v1`,
    ASSISTANT_KEY: secrets.assistantKey,
    ASSISTANT_MODEL: 'small',
  });
  const { database, clock, linkClock, log } = app.engines;
  return {
    ...app.engines,
    installation: { ...app.engines.installation, ...config },
    storage: await openStorage(config),
    mail: openSmtp(config.SMTP_URL ?? '', config.MAIL_FROM),
    ...openPayments(config, { database, clock, linkClock, log }),
    assistant: openAssistant(config, log),
  };
}

describe('where everything is', () => {
  it('is said of an installation whose parts are elsewhere, without anything that lets somebody in', async () => {
    const engines = await openSecretEngines();
    const places = await placesOf(engines);
    expect(places).toMatchObject({
      browsers: expect.stringContaining('https://fans.example.com'),
      database: 'PostgreSQL at DATABASE_URL',
      storage: 'bucket photos at https://s3.example.com/',
      mail: 'mail server mail.example.com',
      provider: expect.stringContaining('stripe test mode'),
      assistant: 'models.example.com',
    });
    // The log and the lights say it as well.
    const said = JSON.stringify([
      places,
      ...[engines.storage, engines.mail, engines.payments].map(({ place }) => place),
    ]);
    expect(Object.entries(secrets).filter(([, secret]) => said.includes(secret))).toEqual([]);
  });

  it('stays so where an engine names its place by an address with a password', async () => {
    const address = (of: string) => ({
      place: `at https://user:${secrets.mail}@${of}.example.com/x?key=${secrets.mail}`,
    });
    const { database, storage, mail, payments, assistant } = app.engines;
    const places = await placesOf({
      ...app.engines,
      database: { ...database, ...address('database') },
      storage: { ...storage, ...address('storage') },
      mail: { ...mail, ...address('mail') },
      payments: { ...payments, ...address('provider') },
      assistant: { ...assistant, host: `https://user:${secrets.mail}@assistant.example.com/x` },
    });
    for (const id of ['database', 'storage', 'mail', 'provider', 'assistant'] as const)
      expect(places[id]).toMatch(new RegExp(`https://${id}\\.example\\.com/x$`));
    expect(JSON.stringify(places)).not.toContain(secrets.mail);
  });
});

describe('the installation', () => {
  it('is shown to every administrator, and to nobody else', async () => {
    for (const scope of ['support', 'moderation', 'finance', 'owner'] as const) {
      await readRows(app, 'update user_roles set scopes = $1 where user_id = $2', [[scope], adminId]);
      const { places } = await must(app, 'adminOperations.installation', {}, desk);
      expect(Object.keys(places), scope).toEqual([...componentIds]);
    }
    const creator = await signUpCreator(app);
    expect((await app.call('adminOperations.installation', {}, creator.browser)).status).toBe(403);
    expect((await app.call('adminOperations.installation', {}, newBrowser())).status).toBe(401);
    // A session in which the second factor was never given is over; without any second factor it has no rights.
    await readRows(app, 'update auth_sessions set code_at = null where user_id = $1', [adminId]);
    expect((await app.call('adminOperations.installation', {}, desk)).status).toBe(401);
    await readRows(app, `update users set two_factor = 'none' where id = $1`, [adminId]);
    expect((await app.call('adminOperations.installation', {}, desk)).status).toBe(403);
    await readRows(app, `update users set two_factor = 'passkey' where id = $1`, [adminId]);
  });

  it('counts what flowed in the last hour, what waits and what lies there', async () => {
    const now = app.engines.clock();
    const slot = new Date(now - (now % 600_000));
    const figure = (kind: CallFigure['kind'], name: string, calls: number, errors = 0): CallFigure => ({
      kind,
      name,
      calls,
      errors,
      buckets: [],
    });
    await asSystem(async (tx) => {
      await addFigures(tx, slot, [
        figure('procedure', 'albums.list', 40, 2),
        figure('procedure', 'assistant.chat', 3),
        figure('route', 'GET /api/me', 5),
        figure('route', 'GET /*', 7, 1),
        figure('route', 'GET /m/c/:packId/:tag', 11),
        figure('route', 'GET /m/s/:packId/:part', 13),
        figure('route', 'PATCH /files/:id', 17),
        figure('route', 'POST /api/hooks/stripe', 19),
        figure('route', 'POST /api/hooks/mail', 23),
        figure('job', 'photo.process', 29, 4),
        figure('job', 'money.inbox', 31),
        figure('job', 'notices.push', 37),
        figure('job', 'support.forget', 41),
      ]);
      await addFigures(tx, new Date(slot.getTime() - 2 * 3_600_000), [figure('procedure', 'albums.list', 1000)]);
    });
    await readRows(app, 'update users set storage_used_bytes = 4800000 where id = $1', [adminId]);
    const { figures } = await must(app, 'adminOperations.installation', {}, desk);
    expect(figures).toMatchObject({
      calls: 48,
      callErrors: 3,
      questions: 3,
      pages: 7,
      pieces: 24,
      uploads: 17,
      providerEvents: 19,
      mailReports: 23,
      jobs: 138,
      jobErrors: 4,
      mediaJobs: 29,
      moneyJobs: 31,
      pushJobs: 37,
      storedBytes: 4_800_000,
      replicas: 0,
      workers: 0,
      masterKeys: 1,
    });
  });

  it('counts the replicas of its database', async () => {
    const replicas = async () => (await must(app, 'adminOperations.installation', {}, desk)).figures.replicas;
    expect(await replicas()).toBe(0);
    const replica = new pg.Client(
      `postgres://postgres@/postgres?host=${encodeURIComponent(socketFolder)}&replication=true`,
    );
    await replica.connect();
    expect(await replicas()).toBe(1);
    await replica.end();
    await expect.poll(replicas).toBe(0);
  });
});
