import path from 'node:path';
import type { Engines } from '#engines/engines.ts';
import { makeAdmin } from '#features/accounts/store.ts';
import { insertAudit } from '#features/audit/store.ts';
import { compareViews, repairViews, tellDifference } from '#features/insights/recount.ts';
import type { Difference } from '#features/insights/recount-store.ts';
import { backUp } from './backup.ts';
import { type Config, readConfig } from './config.ts';
import { openEnginesAsTheyAre } from './engines.ts';
import { openLog } from './log.ts';
import { exportHouse, importHouse } from './move.ts';
import { restore } from './restore.ts';

/** What an operator can do from the command line: the same functions as the product's. */
interface Verb {
  /** How it is called, after `npm run pf --`. */
  usage: string;
  about: string;
  /** @returns what to print @throws a sentence that says what to do */
  run(args: readonly string[], config: Config): Promise<string>;
}

const root = path.resolve(import.meta.dirname, '../..');
const log = openLog('error');

/** Opens the installation as it is, running or not, for one verb: only a start brings it further. */
async function withEngines(config: Config, use: (engines: Engines) => Promise<string>): Promise<string> {
  const engines = await openEnginesAsTheyAre(config, log, root);
  try {
    return await use(engines);
  } finally {
    await engines.database.close();
  }
}

/** @throws the sentence that names it when it is missing */
function folderOf([folder]: readonly string[]): string {
  if (folder === undefined || folder.startsWith('-')) throw new Error('Name the folder of the backup.');
  return path.resolve(folder);
}

const keptOf = (args: readonly string[]): string[] =>
  args.includes('--keys-kept') ? (args[args.indexOf('--keys-kept') + 1] ?? '').split(',') : [];

const verbs: Record<string, Verb> = {
  admin: {
    usage: 'admin EMAIL',
    about: 'makes the account with this address an administrator',
    run: ([email = ''], config) => withEngines(config, (engines) => promote(engines, email)),
  },
  health: {
    usage: 'health',
    about: 'says where everything is and how old the oldest waiting job is',
    run: (_, config) => withEngines(config, tellHealth),
  },
  recount: {
    usage: 'recount [repair]',
    about: 'compares counters and sums of views with the single looks; "repair" makes them right',
    run: ([how], config) => withEngines(config, (engines) => recount(engines, how)),
  },
  backup: {
    usage: 'backup FOLDER --keys-kept IDS',
    about: 'keeps database and files in a new folder, also while the product runs',
    run: (args, config) => withEngines(config, (engines) => backUp(engines, config, folderOf(args), keptOf(args))),
  },
  restore: {
    usage: 'restore FOLDER',
    about: 'brings a backup back into an empty DATA_DIR that holds its keys.json at most',
    run: (args, config) => restore(config, log, folderOf(args)),
  },
  export: {
    usage: 'export FOLDER',
    about: 'writes everything in a form that every PostgreSQL and every storage takes',
    run: (args, config) => withEngines(config, (engines) => exportHouse(engines, config, folderOf(args))),
  },
  import: {
    usage: 'import FOLDER',
    about: 'brings an export into an empty installation',
    run: (args, config) => importHouse(config, log, root, folderOf(args)),
  },
};

async function promote({ database }: Engines, email: string): Promise<string> {
  const isMade = await database.work({ kind: 'system' }, async (tx) => {
    const found = await makeAdmin(tx, email.toLowerCase());
    if (found) await insertAudit(tx, { actor: { type: 'system' }, action: 'role.admin' });
    return found;
  });
  if (!isMade) throw new Error(`Nobody has the address "${email}". Sign up first, then run this again.`);
  return `${email} is an administrator now.`;
}

async function tellHealth({ database, storage, mail, jobs, keys }: Engines): Promise<string> {
  await jobs.start(false);
  const ageSeconds = await jobs.ageSeconds();
  await jobs.stop();
  return [
    database.place,
    storage.place,
    mail.place,
    `master key ${keys.current.id}, ${keys.all.size} in all`,
    `oldest waiting job: ${Math.round(ageSeconds)} s`,
  ]
    .map((line) => `· ${line}`)
    .join('\n');
}

async function recount(engines: Engines, how: string | undefined): Promise<string> {
  if (how === 'repair') return tellRecount(await repairViews(engines), 'repaired');
  if (how !== undefined) throw new Error('Say `recount`, or `recount repair`.');
  return tellRecount(await compareViews(engines), 'different; `recount repair` makes it right');
}

const tellRecount = (differences: readonly Difference[], what: string) =>
  differences.length === 0
    ? 'Every counter and sum is what the single looks say.'
    : differences.map((difference) => `· ${tellDifference(difference)} – ${what}`).join('\n');

const help = () =>
  `npm run pf -- <verb>\n${Object.values(verbs)
    .map(({ usage, about }) => `  ${usage.padEnd(30)} ${about}`)
    .join('\n')}`;

const [name = '', ...args] = process.argv.slice(2);
const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
if (verb === undefined) {
  console.log(help());
  process.exit(name === '' || name === 'help' ? 0 : 1);
}
try {
  console.log(await verb.run(args, readConfig(process.env)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
