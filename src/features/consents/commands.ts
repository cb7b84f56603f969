import type { Engines } from '#engines/engines.ts';
import { plainLine } from '#features/audit/plain-text.ts';
import { isUuid } from '#kit/ids.ts';
import { formatCount } from '#kit/text.ts';
import { decideLockedAlbum } from './deciding.ts';
import { longestVerdict } from './desk-contract.ts';
import { listWaiting, type WaitingPerson } from './store.ts';

const system = { kind: 'system' } as const;
type Needed = Pick<Engines, 'database' | 'jobs' | 'installation' | 'clock'>;

const usage = 'Use `consents`, `consents open ID --reason TEXT` or `consents keep ID --reason TEXT`.';

/** `pf consents …`: albums that were locked by a withdrawal and wait to be looked at, and the decision. */
export interface ConsentOrder {
  verb: string | undefined;
  id: string | undefined;
  reason: string | undefined;
}

/** @returns what to print @throws a sentence that says what is wrong */
export async function runConsents(engines: Needed, { verb, id = '', reason = '' }: ConsentOrder): Promise<string> {
  const { database, clock } = engines;
  if (verb === undefined) return describeWaiting(await database.work(system, listWaiting));
  if (verb !== 'open' && verb !== 'keep') throw new Error(usage);
  const why = reason.trim();
  if (why === '' || why.length > longestVerdict)
    throw new Error(`Say why, in up to ${longestVerdict} characters: --reason "…". It is sent to the creator.`);
  const verdict = { isOpen: verb === 'open', reason: why, actor: { type: 'system' }, now: new Date(clock()) } as const;
  const done = isUuid(id)
    ? await database.work(system, (tx) => decideLockedAlbum(tx, engines, id, verdict))
    : undefined;
  if (done === undefined) throw new Error(`Nothing waits under ${id}. ${usage}`);
  if (verb === 'keep') return `Album ${done.albumId} stays locked. Its creator is told why.`;
  return done.isOpen
    ? `Album ${done.albumId} is open again.`
    : `The withdrawal is settled. Album ${done.albumId} stays closed until everybody shown in it has agreed, or its creator says that it shows only them.`;
}

const formatDay = (at: Date) => at.toISOString().slice(0, 16).replace('T', ' ');

const describeLine = ({ id, albumId, creatorEmail, withdrawnAt, picturesGoneAt, items, left }: WaitingPerson) =>
  `  ${id}  waits since ${formatDay(picturesGoneAt)}, withdrawn ${formatDay(withdrawnAt)}  album ${albumId} of ${plainLine(creatorEmail)}: ${formatCount(items, 'item')}, ${left} taken out since`;

const describeWaiting = (people: readonly WaitingPerson[]) =>
  people.length === 0 ? 'No album waits to be looked at.' : people.map(describeLine).join('\n');
