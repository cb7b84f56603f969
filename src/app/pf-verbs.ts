import { runJobs } from '#features/admin/commands.ts';
import type { Config } from './config.ts';
import { withJobs } from './pf-engines.ts';

/** What an operator can do from the command line: the same functions as the product's. */
export interface Verb {
  /** How it is called, after `npm run pf --`. */
  usage: string;
  about: string;
  /** @returns what to print @throws a sentence that says what to do */
  run(args: readonly string[], config: Config): Promise<string>;
}

/** What keeps an installation going. */
export const operationVerbs: Record<string, Verb> = {
  jobs: {
    usage: 'jobs [list | run NAME | pause NAME | resume NAME]',
    about: 'lists every queue of jobs; runs a job that comes by itself now, pauses a queue or has it go on; audited',
    run: (args, config) => withJobs(config, (engines) => runJobs(engines, args)),
  },
};
