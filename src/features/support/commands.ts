import type { Engines } from '#engines/engines.ts';
import { plainLine, plainText } from '#features/audit/plain-text.ts';
import { insertAudit } from '#features/audit/store.ts';
import {
  findSupportRequest,
  listWaitingRequests,
  type StoredSupportRequest,
  type SupportStatus,
  setSupportStatus,
} from './store.ts';

const system = { kind: 'system' } as const;

const usage = 'Use `support`, `support show NUMBER`, `support answered NUMBER` or `support close NUMBER`.';
const statuses: Readonly<Record<string, SupportStatus>> = { show: 'open', answered: 'answered', close: 'closed' };
const mostListed = 200;

/** `pf support`, `pf support show NUMBER`, `pf support answered NUMBER`, `pf support close NUMBER`. @returns what to print */
export async function runSupport(
  { database }: Pick<Engines, 'database'>,
  [verb, number = '']: readonly string[],
): Promise<string> {
  if (verb === undefined)
    return describeWaiting(await database.work(system, (tx) => listWaitingRequests(tx, mostListed)));
  const wanted = Object.hasOwn(statuses, verb) ? statuses[verb] : undefined;
  if (wanted === undefined) throw new Error(usage);
  return database.work(system, async (tx) => {
    const found = /^\d{8}$/.test(number) ? await findSupportRequest(tx, Number(number)) : undefined;
    if (found === undefined) throw new Error(`There is no support request ${number}. ${usage}`);
    // Looking opens it; what was answered or closed stays so.
    const status = verb === 'show' && found.status !== 'pending' ? found.status : wanted;
    if (status !== found.status) {
      await setSupportStatus(tx, found.number, status);
      const details = { number: found.number, status };
      await insertAudit(tx, { actor: { type: 'system' }, action: 'support.changed', details });
    }
    return verb === 'show' ? describeWhole({ ...found, status }) : `Support request ${number} is ${status} now.`;
  });
}

const describeLine = ({ number, status, subject, createdAt }: StoredSupportRequest) =>
  `  ${number}  ${createdAt.toISOString().slice(0, 16).replace('T', ' ')}  ${status.padEnd(8)}  ${plainLine(subject)}`;

const describeWaiting = (requests: readonly StoredSupportRequest[]) =>
  requests.length === 0 ? 'No support requests are waiting.' : requests.map(describeLine).join('\n');

const describeWhole = (request: StoredSupportRequest) =>
  [
    describeLine(request),
    `  from ${plainLine(request.name)} <${plainLine(request.email)}>${request.userId === null ? '' : `, account ${request.userId}`}`,
    '',
    plainText(request.message),
  ].join('\n');
