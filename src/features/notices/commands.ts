import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { plainLine } from '#features/audit/plain-text.ts';
import { insertAudit } from '#features/audit/store.ts';
import { Email } from '#kit/email-address.ts';
import { isUuid } from '#kit/ids.ts';
import { formatCount } from '#kit/text.ts';
import {
  countFailedEmails,
  type GivenUpEmail,
  listFailedEmails,
  markGivenUpSeen,
  mostSentAgain,
  sendAgain,
} from './outbox/given-up-store.ts';
import { liftAudited } from './suppressions/lifting.ts';

const system = { kind: 'system' } as const;
const usage = 'Use `mails`, `mails send ID|all`, `mails seen ID|all` or `mails lift ADDRESS`.';
const mostListed = 200;

type Needs = Pick<Engines, 'database' | 'jobs' | 'keys'>;

/** `pf mails`, `pf mails send ID|all`, `pf mails seen ID|all`, `pf mails lift ADDRESS`. @returns what to print */
export async function runMails(
  { database, jobs, keys }: Needs,
  [verb, which = '']: readonly string[],
): Promise<string> {
  if (verb === undefined) return writeList(await database.work(system, (tx) => listFailedEmails(tx, mostListed)));
  if (verb === 'lift') return liftFor(database, keys, which);
  if (!['send', 'seen'].includes(verb) || !(which === 'all' || isUuid(which))) throw new Error(usage);
  const id = which === 'all' ? undefined : which;
  const audited = (change: (tx: Tx) => Promise<number>) =>
    database.work(system, async (tx) => {
      const count = await change(tx);
      const details = { count, which };
      if (count > 0) await insertAudit(tx, { actor: { type: 'system' }, action: `mails.${verb}`, details });
      return count;
    });
  if (verb === 'seen') {
    const count = await audited((tx) => markGivenUpSeen(tx, id));
    if (count === 0) throw new Error('No such email was given up.');
    return `${formatCount(count, 'email')} marked as seen.`;
  }
  let count = 0;
  for (let part = mostSentAgain; part === mostSentAgain; count += part)
    part = await audited((tx) => sendAgain(tx, jobs, id));
  if (count === 0)
    throw new Error('There is nothing to send again: no such email was given up, or what it carried has expired.');
  return `${formatCount(count, 'email')} will be sent again.`;
}

async function liftFor(database: Needs['database'], keys: Needs['keys'], typed: string): Promise<string> {
  if (typed === '') throw new Error(usage);
  const { data: address } = Email.safeParse(typed);
  if (address === undefined) throw new Error(`"${plainLine(typed.slice(0, 100))}" is no email address.`);
  const actor = { type: 'system' } as const;
  if (!(await database.work(system, (tx) => liftAudited(tx, keys, address, { actor }))))
    throw new Error('Nothing holds notices back, or they have unsubscribed: only they can resume them.');
  return `Notices go to ${plainLine(address)} again.`;
}

const states = { given_up: 'given up', queued: 'waiting' } as const;

const writeLine = ({ id, to, template, state, tries, lastError, createdAt, canBeSentAgain }: GivenUpEmail) =>
  [
    `  ${id}  ${createdAt.toISOString().slice(0, 16).replace('T', ' ')}  ${states[state]}  ${template}  to ${plainLine(to)}`,
    `    ${formatCount(tries, 'try', 'tries')}: ${plainLine(lastError ?? 'the server was never reached')}`,
    ...(canBeSentAgain ? [] : ['    it cannot be sent again: what it carried has expired']),
  ].join('\n');

const writeList = (emails: readonly GivenUpEmail[]) =>
  emails.length === 0 ? 'No email was given up, and none waits after a failure.' : emails.map(writeLine).join('\n');

/** So many domains do not fail at once because of one recipient. */
const severalDomains = 3;

export interface MailTroubles {
  troubles: string[];
  /** Whether they are about this installation or its mail server: one recipient's domain alone is none of an operator's. */
  isOurs: boolean;
}

/** Describes for `pf health` what is wrong with the emails. */
export async function findMailTroubles({ database }: Pick<Engines, 'database'>): Promise<MailTroubles> {
  const { givenUp, failing, ours, domains } = await database.work(system, (tx) => countFailedEmails(tx));
  const see = 'see `npm run pf -- mails`';
  const troubles = [
    ...(givenUp > 0 ? [`${formatCount(givenUp, 'email was', 'emails were')} given up: ${see}`] : []),
    ...(failing > 0
      ? [`${formatCount(failing, 'email waits', 'emails wait')} because the mail server has not taken it: ${see}`]
      : []),
  ];
  return { troubles, isOurs: ours > 0 || domains >= severalDomains };
}
