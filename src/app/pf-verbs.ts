import { runJobs, runJunk } from '#features/admin/commands.ts';
import type { Config } from './config.ts';
import { removeTestPeople } from './full-check/clean-up.ts';
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
  junk: {
    usage: 'junk [list | look KIND | clean KIND]',
    about: 'counts what is of no use any more; looks for a kind of it, or cleans exactly what that look finds; audited',
    run: (args, config) => withJobs(config, (engines) => runJunk(engines, { removeTestPeople }, args)),
  },
};
