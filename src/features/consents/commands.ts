import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { consentReviewedEmail } from '#features/notices/consent-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { isUuid } from '#kit/ids.ts';
import { formatCount } from '#kit/text.ts';
import { holdAlbum, unlockAlbum } from './album-store.ts';
import {
  endPerson,
  findAlbumOf,
  findCreatorEmail,
  type HeldPerson,
  holdPerson,
  listWaiting,
  notePicturesGone,
  type WaitingPerson,
} from './store.ts';

const system = { kind: 'system' } as const;
type Needed = Pick<Engines, 'database' | 'jobs' | 'installation' | 'clock'>;

const usage = 'Use `consents`, `consents open ID --reason TEXT` or `consents keep ID --reason TEXT`.';
const longestReason = 1000;

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
  if (why === '' || why.length > longestReason)
    throw new Error(`Say why, in up to ${longestReason} characters: --reason "…". It is sent to the creator.`);
  return database.work(system, async (tx) => {
    const albumId = isUuid(id) ? await findAlbumOf(tx, { id }) : undefined;
    if (albumId != null) await holdAlbum(tx, albumId);
    const person = albumId == null ? undefined : await holdPerson(tx, { id });
    if (person?.state !== 'withdrawn' || person.endedAt !== null || person.picturesGoneAt === null)
      throw new Error(`Nothing waits under ${id}. ${usage}`);
    return decide(tx, engines, person, { isOpen: verb === 'open', reason: why, now: new Date(clock()) });
  });
}

interface Verdict {
  isOpen: boolean;
  reason: string;
  now: Date;
}

/** Opening ends the consent and takes the lock away, unless another one was withdrawn too; keeping asks the creator again. */
async function decide(tx: Tx, { jobs, installation }: Needed, person: HeldPerson, verdict: Verdict): Promise<string> {
  const { id, userId } = person;
  const { isOpen, reason, now } = verdict;
  const albumId = person.albumId ?? '';
  if (isOpen) {
    await endPerson(tx, id, now);
    await unlockAlbum(tx, albumId);
  } else await notePicturesGone(tx, id, null);
  await insertAudit(tx, {
    actor: { type: 'system' },
    action: isOpen ? 'consent.album_opened' : 'consent.album_kept',
    target: { type: 'album', id: albumId },
    details: { person: id },
  });
  await tx.publish({ kind: 'album.changed', creatorId: userId, albumId });
  const to = await findCreatorEmail(tx, userId);
  const settingsLink = `${installation.publicUrl}/albums/${albumId}/settings`;
  if (to !== undefined)
    await queueEmail(tx, jobs, { userId, to, now, ...consentReviewedEmail({ isOpen, reason, settingsLink }) });
  return isOpen
    ? `Album ${albumId} is open again, unless somebody else shown in it has withdrawn or not agreed.`
    : `Album ${albumId} stays locked. Its creator is told why.`;
}

const formatDay = (at: Date) => at.toISOString().slice(0, 16).replace('T', ' ');

const describeLine = ({ id, albumId, userId, withdrawnAt, picturesGoneAt, items, left }: WaitingPerson) =>
  `  ${id}  waits since ${formatDay(picturesGoneAt)}, withdrawn ${formatDay(withdrawnAt)}  album ${albumId} of account ${userId}: ${formatCount(items, 'item')}, ${left} taken out since`;

const describeWaiting = (people: readonly WaitingPerson[]) =>
  people.length === 0 ? 'No album waits to be looked at.' : people.map(describeLine).join('\n');
