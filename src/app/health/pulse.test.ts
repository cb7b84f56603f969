import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Engines } from '#engines/engines.ts';
import { openSmtp } from '#engines/mail/smtp.ts';
import { openStripe } from '#engines/payments/stripe.ts';
import { openDiskStorage } from '#engines/storage/disk.ts';
import { openStandIn, type StandIn } from '#tests/proofs/stripe/stand-in/server.ts';
import { type Line, openLine } from '#tests/support/servers/line.ts';
import { type MailSink, openMailSink } from '#tests/support/servers/mail-sink.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import type { PulsePart } from '#wire/pulse.ts';
import { judgeCertificate } from './certificate.ts';
import { listProbes } from './probes.ts';
import { lookOnce, openPulse, type RunningPulse } from './pulse.ts';
import { startHeart } from './worker-heart.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pf-pulse-'));
const files = path.join(folder, 'files');
let line: Line;
let app: TestApp;
let mail: MailSink;
let standIn: StandIn;
let engines: Engines;
let pulse: RunningPulse;
let stopHeart: () => Promise<void>;
/** What the tests turn. */
const turned = { clockMs: 0, freeBytes: 50e9 };

/** An installation whose parts are all outside: each of them can be stopped for itself. */
beforeAll(async () => {
  [mail, standIn] = await Promise.all([openMailSink(), openStandIn({})]);
  app = await openTestApp({
    workJobs: false,
    storage: openDiskStorage(files),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    async databaseUrl(socketFolder, name) {
      line = await openLine(folder, socketFolder);
      return `postgres://pf@/${name}?host=${encodeURIComponent(folder)}`;
    },
  });
  vi.useRealTimers();
  const { host, port, secretKey } = standIn;
  engines = {
    ...app.engines,
    sandbox: undefined,
    clock: () => Date.now() + turned.clockMs,
    mail: openSmtp(mail.url, 'PrivateFans <us@example.com>'),
    payments: openStripe({
      realm: { provider: 'stripe', livemode: false },
      place: 'the stand-in',
      connect: async () => ({ secretKey, host: { host, port } }),
      secrets: async () => ({}),
      browser: async () => ({ publishableKey: 'pk_test', scriptUrl: '' }),
    }),
  };
  stopHeart = startHeart(engines);
  const probes = listProbes(engines, async () => ({ freeBytes: turned.freeBytes, totalBytes: 100e9 }));
  pulse = openPulse(probes, engines);
});
afterAll(async () => {
  pulse.close();
  await stopHeart();
  await app.close();
  line.close();
  await Promise.all([mail.close(), standIn.close()]);
  rmSync(folder, { recursive: true, force: true });
});

const usual = {
  database: 'green',
  backup: 'off',
  storage: 'green',
  disk: 'green',
  queue: 'green',
  mail: 'green',
  provider: 'green',
  clock: 'green',
  keys: 'green',
  certificate: 'off',
};

/** The lights as they are now; how loaded this machine is, is not the test's. */
async function lights() {
  const states = await pulse.watch();
  return Object.fromEntries(states.filter(({ part }) => part !== 'machine').map(({ part, light }) => [part, light]));
}

const stops: [part: PulsePart, stop: () => unknown, mend: () => unknown][] = [
  [
    'storage',
    () => {
      renameSync(files, `${files}.away`);
      writeFileSync(files, 'no folder');
    },
    () => {
      rmSync(files);
      renameSync(`${files}.away`, files);
    },
  ],
  ['disk', () => Object.assign(turned, { freeBytes: 1e8 }), () => Object.assign(turned, { freeBytes: 50e9 })],
  [
    'queue',
    () => stopHeart(),
    () => {
      stopHeart = startHeart(engines);
    },
  ],
  ['clock', () => Object.assign(turned, { clockMs: 60_000 }), () => Object.assign(turned, { clockMs: 0 })],
];

it('is green where everything answers, and says what is not set up', async () => {
  await expect.poll(lights).toEqual(usual);
});

for (const [part, stop, mend] of stops)
  it(`turns exactly the light of ${part} red, and green again`, async () => {
    await stop();
    await expect.poll(lights).toEqual({ ...usual, [part]: 'red' });
    await mend();
    await expect.poll(lights).toEqual(usual);
  });

it('judges nothing that needs the database while it does not answer, cut or silent', async () => {
  const away = { ...usual, database: 'red', backup: 'unknown', queue: 'unknown', clock: 'unknown' };
  for (const state of ['refused', 'silent'] as const) {
    line.state = state;
    line.cut();
    await expect.poll(async () => ({ ...(await lights()), keys: 'green', backup: 'unknown' })).toEqual(away);
    line.cut();
    line.state = 'open';
    await expect.poll(lights).toEqual(usual);
  }
});

it('turns exactly the lights of servers of others red that have gone', async () => {
  await standIn.close();
  await expect.poll(lights).toEqual({ ...usual, provider: 'red' });
  await mail.close();
  await expect.poll(lights).toEqual({ ...usual, provider: 'red', mail: 'red' });
});

it('leaves no file behind, and looks once where nobody watches', async () => {
  const left: string[] = [];
  for await (const name of engines.storage.list('')) left.push(name);
  expect(left).toEqual([]);
  const probes = listProbes({ ...engines, installation: { ...engines.installation, backupDir: folder } });
  const states = await lookOnce(probes, engines);
  // This server was not started with it.
  expect(states.find(({ part }) => part === 'backup')).toMatchObject({ light: 'red' });
});

it('asks nobody a second time that has not answered yet', async () => {
  let looks = 0;
  const answer = Promise.withResolvers<never>();
  const look = () => {
    looks++;
    return answer.promise;
  };
  const hanging = openPulse([{ part: 'mail', every: { watched: 0, else: 0 }, look }], { ...engines, deadlineMs: 300 });
  await expect.poll(async () => (await hanging.watch())[0]).toMatchObject({ part: 'mail', light: 'red' });
  await hanging.watch();
  expect(looks).toBe(1);
  answer.reject(new Error('gone'));
  await expect
    .poll(async () => {
      await hanging.watch();
      return looks;
    })
    .toBeGreaterThan(1);
  hanging.close();
});

it('judges a certificate by the days that it has left', () => {
  const inDays = (days: number) => judgeCertificate('example.com', days * 86_400_000 + 1, 0).light;
  expect([90, 20, 2, -1].map(inDays)).toEqual(['green', 'amber', 'red', 'red']);
});
