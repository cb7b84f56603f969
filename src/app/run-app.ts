import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Engines, Log } from '#engines/engines.ts';
import { isInvitationOpen } from '#features/accounts/invitations.ts';
import { isPassOpen } from '#features/links/passes.ts';
import { checkOwnSchedule } from '#features/money/health.ts';
import { createLive } from '#wire/live.ts';
import { keepNewFiles } from './backup/backup-folder.ts';
import type { Config } from './config.ts';
import { devAddressOf } from './dev/dev-token.ts';
import { openEngines } from './engines.ts';
import { openOwnHealth } from './health/own-health.ts';
import type { LeveledLog } from './log.ts';
import { openLogLevel } from './log-level.ts';
import { isStripe } from './payments.ts';
import { findMissingKeys } from './rotate-keys.ts';
import { readSiteFacts } from './server/read-site-facts.ts';
import type { SiteOf } from './server/site.ts';
import { showSettings } from './shown-settings.ts';
import { awaitStep, stepMs } from './stopping.ts';

const sweepEveryMs = 600_000;

/** A running app. */
export interface RunningApp {
  /** What a person reads when it is up. */
  greeting: string;
  fastify: FastifyInstance;
  /** Fills an empty sandbox. @param say hears what is to be printed once */
  seed(say: (words: string) => void): Promise<void>;
  close(): Promise<void>;
}

/** Returns what the pages need to know. */
const siteOf = (engines: Engines, config: Config): Omit<SiteOf, 'isAdministrator'> => ({
  ...config,
  isStripe: isStripe(engines.payments),
  readFacts: () => readSiteFacts(engines),
  isInvitationOpen: async (token) => (await isInvitationOpen(engines, token)) || isPassOpen(engines, token),
  log: engines.log,
});

/**
 * Boots the whole product: engines, server, jobs, then the first listening.
 * @param root folder of the project, where the built pages and the migrations are
 * @throws a sentence that says what to do
 */
export async function runApp(config: Config, log: LeveledLog, root: string): Promise<RunningApp> {
  // The commonest fault of a second start is told at once, and not after the database was opened for nothing.
  if (config.PF_ROLE !== 'worker') await listenAt({ listen: tryPort }, config);
  // Loading the code and booting the database need different things: at the same time.
  const [engines, { createServer }, { keepFaults }, { mountSite, readParts }, { declareJobs }, { sweepUploads }] =
    await Promise.all([
      openEngines(config, log, root),
      import('./server/server.ts'),
      import('./server/keep-faults.ts'),
      import('./server/site.ts'),
      import('./jobs.ts'),
      import('#features/albums/uploads.ts'),
    ]);
  const live = createLive(engines.clock);
  const build = path.join(root, 'build');
  const health = openOwnHealth(engines);
  const app = await createServer(keepFaults(engines), live, {
    trustedProxies: config.TRUSTED_PROXIES,
    pulse: health.pulse,
    calls: health.calls,
    settings: showSettings({ ...config, DATA_DIR: config.dataDir, BACKUP_DIR: config.backupDir }),
    logLevel: openLogLevel(log, engines.clock),
    ...readParts(build),
    mountSite: (server, isAdministrator) => mountSite(server, build, { ...siteOf(engines, config), isAdministrator }),
  });
  const listening = await engines.database.listen(live.receive, live.refetchAll);
  const stopJobs = declareJobs(engines);
  if (config.PF_ROLE !== 'worker') await listenAt(app, config);
  await engines.jobs.start(config.PF_ROLE !== 'web');
  health.begin(config.PF_ROLE !== 'web');
  const looking = Promise.all([logMissingKeys(engines), isStripe(engines.payments) && checkOwnSchedule(engines)]);
  const sweeping = startSweeping(config, log, () => sweepUploads(engines, new Date(engines.clock())));
  const ending = new AbortController();
  let seeding: Promise<void> = Promise.resolve();
  return {
    fastify: app,
    greeting: greetingOf(config, placesOf(engines, config.PF_ROLE === 'worker' ? undefined : app.addresses())),
    seed(say) {
      seeding = seed(engines, config, root, say, ending.signal);
      return seeding;
    },
    async close() {
      const beganMs = performance.now();
      const step = (running: Promise<unknown>, untilMs: number) => awaitStep(running, beganMs, untilMs);
      ending.abort();
      clearInterval(sweeping);
      // It needs the database until its step is over; what went wrong in it is told where it was asked for.
      await step(seeding, stepMs.serving);
      live.close();
      await step(app.close(), stepMs.serving);
      await step(stopJobs(), stepMs.working);
      await step(health.end(), stepMs.working);
      if (config.backupDir !== undefined && config.PF_ROLE !== 'web')
        await step(keepLastFiles(engines, config.backupDir), stepMs.keeping);
      await step(listening.close(), stepMs.closing);
      await step(looking, stepMs.closing);
      await step(engines.database.close(), stepMs.closing);
    },
  };
}

/** What was whole in staging when a process died becomes a medium now; new visitors need not wait for it. */
function startSweeping({ PF_ROLE: role }: Config, log: Log, sweepOnce: () => Promise<unknown>) {
  const sweep = () => void sweepOnce().catch((error: unknown) => log.error({ err: error }, 'staging was not swept'));
  sweep();
  // The worker sweeps by its clock, but cannot reach the staging of a process on another machine.
  return role === 'web' ? setInterval(sweep, sweepEveryMs).unref() : undefined;
}

/** A master key that was removed too early is told at once, not by the first picture that stays blank. */
async function logMissingKeys(engines: Engines): Promise<void> {
  try {
    const missing = await findMissingKeys(engines);
    if (missing.length > 0)
      engines.log.error({ engine: 'keys', missing }, 'master keys are missing: what they wrapped cannot be opened');
  } catch (error) {
    engines.log.warn({ engine: 'keys', err: error }, 'nobody could see whether master keys are missing');
  }
}

/** What was stored since the last time goes along with the log, whose rest the server keeps when it stops. */
async function keepLastFiles(engines: Engines, backupDir: string): Promise<void> {
  await keepNewFiles(engines, backupDir).catch((error: unknown) =>
    engines.log.error({ area: 'backup', err: error }, 'new files were not backed up'),
  );
}

async function seed(
  engines: Engines,
  config: Config,
  root: string,
  say: (words: string) => void,
  signal: AbortSignal,
): Promise<void> {
  if (!config.isSandbox || config.PF_ROLE !== 'all') return;
  const { trySeedDemo } = await import('./dev/demo.ts');
  await trySeedDemo(engines, root, say, signal);
}

/** Listens for a moment, on both addresses where they are called localhost. @throws as the real server would */
async function tryPort({ port = 0, host = '::' }: { port?: number; host?: string }): Promise<string> {
  for (const address of host === 'localhost' ? ['127.0.0.1', '::1'] : [host]) {
    const server = createServer().listen({ port, host: address });
    const failed = await once(server, 'listening').catch((error: NodeJS.ErrnoException) => error);
    if (!(failed instanceof Error)) await new Promise((done) => server.close(done));
    else if (host !== 'localhost' || !withoutIpv6.has(failed.code ?? '')) throw failed;
  }
  return host;
}

/** What a machine without IPv6 says when it is to listen on `::`. */
const withoutIpv6 = new Set(['EAFNOSUPPORT', 'EADDRNOTAVAIL']);

/**
 * Listens where the configuration says; on all addresses of IPv4 when the machine has no others.
 * @throws a sentence when somebody else has the port, or the machine does not have the address
 */
export async function listenAt(
  app: { listen(options: { port: number; host: string }): Promise<string> },
  { PORT: port, host: wanted }: Pick<Config, 'PORT' | 'host'>,
): Promise<void> {
  const listenOn = (host: string) => app.listen({ port, host });
  const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? '';
  try {
    await listenOn(wanted).catch((error: unknown) => {
      if (wanted === '::' && withoutIpv6.has(codeOf(error))) return listenOn('0.0.0.0');
      throw error;
    });
  } catch (error) {
    if (codeOf(error) === 'EADDRNOTAVAIL') throw new Error(`HOST: this machine does not have the address ${wanted}.`);
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    throw new Error(
      `Port ${port} is in use. Is PrivateFans already running? If not, choose another: PORT=3001 npm start`,
    );
  }
}

/** Who can reach the app, in words. */
export function describeAddresses(addresses: readonly (AddressInfo | string)[]): string {
  const places = addresses.map((place) => {
    if (typeof place === 'string') return place;
    const { address, family, port } = place;
    if (address === '::') return `every address of this machine, port ${port}`;
    if (address === '0.0.0.0') return `every IPv4 address of this machine, port ${port}`;
    return family === 'IPv6' ? `[${address}]:${port}` : `${address}:${port}`;
  });
  return `listening on ${places.join(' and ')}`;
}

const placesOf = (
  { database, storage, mail, payments }: Engines,
  addresses: readonly (AddressInfo | string)[] | undefined,
): string[] => [
  ...(addresses === undefined ? [] : [describeAddresses(addresses)]),
  ...[database, storage, mail, payments].map(({ place }) => place),
];

function greetingOf(config: Config, places: readonly string[]): string {
  const mode = config.isSandbox ? 'Sandbox: payments are simulated and emails stay here.' : 'Live.';
  // A worker answers nobody.
  const hasDev = config.isSandbox && config.PF_ROLE !== 'worker';
  const dev = hasDev ? [`emails, sign-ins and clock for developers: ${devAddressOf(config)}`] : [];
  return `\nPrivateFans is at ${config.publicUrl}\n${mode}\n${[...places, ...dev].map((place) => `  · ${place}`).join('\n')}`;
}
