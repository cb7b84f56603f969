import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Engines } from '#engines/engines.ts';
import { createLive, type Live } from '#wire/live.ts';
import type { LogLevel, OwnProcess } from '#wire/own-process.ts';
import { readConfig } from './config.ts';
import { devAddressOf } from './dev/dev-token.ts';
import { openEngines } from './engines.ts';
import { startHeart } from './health/worker-heart.ts';
import { declareJobs } from './jobs.ts';
import { openLog } from './log.ts';
import { openLogLevel } from './log-level.ts';
import { createServer } from './server/server.ts';
import { showSettings } from './shown-settings.ts';

interface Kept {
  engines: Engines;
  live: Live;
  settings: OwnProcess['settings'];
  logLevel: LogLevel;
}

/** Engines outlive a reload of the code: only the server around them is made again. */
const keeping = globalThis as typeof globalThis & { privatefansInDevelopment?: Promise<Kept> };

async function open(): Promise<Kept> {
  const config = readConfig(process.env);
  const log = openLog(config.LOG_LEVEL ?? 'info');
  const engines = await openEngines(config, log, process.cwd());
  const live = createLive(engines.clock);
  await engines.database.listen(live.receive, live.refetchAll);
  declareJobs(engines);
  await engines.jobs.start(true);
  startHeart(engines);
  return { engines, live, settings: showSettings({ ...config }), logLevel: openLogLevel(log, engines.clock) };
}

/** The product without its pages, for the development server. */
export async function openDevelopment(): Promise<{
  handle(request: IncomingMessage, response: ServerResponse): void;
  close(): Promise<void>;
  /** Where /dev is let into, to be printed; nothing where the installation is no sandbox. */
  devAddress: string | undefined;
}> {
  keeping.privatefansInDevelopment ??= open();
  const { engines, live, settings, logLevel } = await keeping.privatefansInDevelopment;
  const app = await createServer(engines, live, {
    trustedProxies: undefined,
    settings,
    logLevel,
    pageHead: '<link rel="stylesheet" href="/src/app/app.css">',
    creatorScript: '/src/features/marketing/browser/creator-page.ts',
  });
  await app.ready();
  return {
    handle: (request, response) => app.routing(request, response),
    close: () => app.close(),
    devAddress: engines.installation.isSandbox ? devAddressOf(engines.installation) : undefined,
  };
}
