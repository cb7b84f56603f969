import { runJobs, runJunk } from '#features/admin/commands.ts';
import { runButtons, runErrors, runFind, runLogLevel, runRecompute, runVitals } from '#features/admin/desk-commands.ts';
import type { Config } from './config.ts';
import { removeTestPeople } from './full-check/clean-up.ts';
import { withEngines, withJobs } from './pf-engines.ts';

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
  find: {
    usage: 'find WORDS',
    about: 'finds people by an address, a name, a @handle, an id, or the number of a receipt, a report or a request',
    run: (args, config) => withEngines(config, (engines) => runFind(engines, args)),
  },
  recompute: {
    usage: 'recompute EMAIL',
    about: "asks the payment provider how somebody's plan stands, and writes down what it says; audited",
    run: (args, config) => withJobs(config, (engines) => runRecompute(engines, args)),
  },
  errors: {
    usage: 'errors [DAYS | ID]',
    about: 'groups the errors of the last days, or shows those of a request, an error or an account',
    run: (args, config) => withEngines(config, (engines) => runErrors(engines, args)),
  },
  vitals: {
    usage: 'vitals [DAYS]',
    about: 'shows how fast pages were in the browsers of administrators, by page and web vital',
    run: (args, config) => withEngines(config, (engines) => runVitals(engines, args)),
  },
  'log-level': {
    usage: 'log-level debug|usual',
    about: 'has every process that runs write details into its log for 15 minutes, or no longer; audited',
    run: (args, config) => withEngines(config, (engines) => runLogLevel(engines, args)),
  },
  buttons: {
    usage: 'buttons [untested | dead | failing | WORDS]',
    about: 'lists what people press, what that calls, and what of it fails',
    run: (args, config) => withEngines(config, (engines) => runButtons(engines, args)),
  },
  junk: {
    usage: 'junk [list | look KIND | clean KIND]',
    about: 'counts what is of no use any more; looks for a kind of it, or cleans exactly what that look finds; audited',
    run: (args, config) => withJobs(config, (engines) => runJunk(engines, { removeTestPeople }, args)),
  },
};
