import path from 'node:path';
import type { Engines } from '#engines/engines.ts';
import type { Config } from './config.ts';
import { openEnginesAsTheyAre } from './engines.ts';
import { openLog } from './log.ts';

/** Folder of the project. */
export const root = path.resolve(import.meta.dirname, '../..');
export const log = openLog('error');

/** Opens the installation as it is, running or not, for one verb: only a start brings it further. */
export async function withEngines(config: Config, use: (engines: Engines) => Promise<string>): Promise<string> {
  const engines = await openEnginesAsTheyAre(config, log, root);
  try {
    return await use(engines);
  } finally {
    await engines.database.close();
  }
}

/** The same for a verb that leaves work behind, such as an email: whoever runs the installation does it. */
export const withJobs = (config: Config, use: (engines: Engines) => Promise<string>): Promise<string> =>
  withEngines(config, async (engines) => {
    await engines.jobs.start(false);
    try {
      return await use(engines);
    } finally {
      await engines.jobs.stop();
    }
  });
