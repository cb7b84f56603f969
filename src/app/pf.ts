import path from 'node:path';
import type { Engines } from '#engines/engines.ts';
import { makeAdmin } from '#features/accounts/store.ts';
import { insertAudit } from '#features/audit/store.ts';
import { compareViews, repairViews, tellDifference } from '#features/insights/recount.ts';
import type { Difference } from '#features/insights/recount-store.ts';
import { readConfig } from './config.ts';
import { openEngines } from './engines.ts';
import { openLog } from './log.ts';

/** What an operator can do from the command line: the same functions as the product's. */
interface Verb {
  /** How it is called, after `npm run pf --`. */
  usage: string;
  about: string;
  /** @returns what to print @throws a sentence that says what to do */
  run(engines: Engines, args: readonly string[]): Promise<string>;
}

const verbs: Record<string, Verb> = {
  admin: {
    usage: 'admin EMAIL',
    about: 'makes the account with this address an administrator',
    async run({ database }, [email = '']) {
      const isMade = await database.work({ kind: 'system' }, async (tx) => {
        const found = await makeAdmin(tx, email.toLowerCase());
        if (found) await insertAudit(tx, { actor: { type: 'system' }, action: 'role.admin' });
        return found;
      });
      if (!isMade) throw new Error(`Nobody has the address "${email}". Sign up first, then run this again.`);
      return `${email} is an administrator now.`;
    },
  },
  health: {
    usage: 'health',
    about: 'says where everything is and how old the oldest waiting job is',
    async run({ database, storage, mail, jobs, keys }) {
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
    },
  },
  recount: {
    usage: 'recount [repair]',
    about: 'compares counters and sums of views with the single looks; "repair" makes them right',
    async run(engines, [how]) {
      if (how === 'repair') return tellRecount(await repairViews(engines), 'repaired');
      if (how !== undefined) throw new Error('Say `recount`, or `recount repair`.');
      return tellRecount(await compareViews(engines), 'different; `recount repair` makes it right');
    },
  },
};

const tellRecount = (differences: readonly Difference[], what: string) =>
  differences.length === 0
    ? 'Every counter and sum is what the single looks say.'
    : differences.map((difference) => `· ${tellDifference(difference)} – ${what}`).join('\n');

const help = () =>
  `npm run pf -- <verb>\n${Object.values(verbs)
    .map(({ usage, about }) => `  ${usage.padEnd(16)} ${about}`)
    .join('\n')}`;

const [name = '', ...args] = process.argv.slice(2);
const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
if (verb === undefined) {
  console.log(help());
  process.exit(name === '' || name === 'help' ? 0 : 1);
}
try {
  const engines = await openEngines(
    readConfig(process.env),
    openLog('error'),
    path.resolve(import.meta.dirname, '../..'),
  );
  try {
    console.log(await verb.run(engines, args));
  } finally {
    await engines.database.close();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
