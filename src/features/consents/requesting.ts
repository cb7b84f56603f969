import { createHash } from 'node:crypto';
import type { Tx } from '#engines/database/work.ts';
import { takeMail } from '#features/accounts/limits.ts';
import { foldMailbox } from '#features/accounts/rules.ts';
import { findMe } from '#features/accounts/store.ts';
import { creationOf, makeOnce } from '#features/audit/creations.ts';
import { hashKey, insertAudit, takeRate } from '#features/audit/store.ts';
import { consentRequestedEmail } from '#features/notices/consent-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { newId, newToken } from '#kit/ids.ts';
import { formatCount } from '#kit/text.ts';
import type { CreatorContext } from '#wire/context.ts';
import { refuse, refuseForNow } from '#wire/refusals.ts';
import { type ConsentAlbum, holdAlbum, sayPeople } from './album-store.ts';
import type { CoPerformer } from './contract.ts';
import { mostPeople, requestsADay, requestsToOneADay } from './rules.ts';
import {
  areRequestsStopped,
  type EmailHashes,
  findAlbumOf,
  type HeldPerson,
  hashEmail,
  holdPerson,
  insertPerson,
  listPeople,
  renewRequest,
} from './store.ts';
import { showPerson } from './to-api.ts';

/** How the secret of a mailed link is stored. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

const daySeconds = 86_400;
/** Between two emails to one address. */
const pauseSeconds = 60;

/** Holds an album of the asking creator whose people may change. @throws NOT_FOUND, CONFLICT */
export async function holdOwnAlbum(tx: Tx, albumId: string): Promise<ConsentAlbum> {
  const album = await holdAlbum(tx, albumId);
  if (album === undefined) throw refuse('NOT_FOUND');
  if (album.state === 'deleting') throw refuse('CONFLICT', { message: 'This album is deleted. Restore it first.' });
  return album;
}

/** Holds a person of the asking creator with their album. @throws NOT_FOUND */
export async function holdOwnPerson(tx: Tx, id: string): Promise<{ person: HeldPerson; album: ConsentAlbum }> {
  const albumId = await findAlbumOf(tx, { id });
  if (albumId == null) throw refuse('NOT_FOUND');
  const album = await holdOwnAlbum(tx, albumId);
  const person = await holdPerson(tx, { id });
  if (person === undefined || person.endedAt !== null) throw refuse('NOT_FOUND');
  return { person, album };
}

/**
 * Counts a request in the transaction that sends it: of one creator to whatever addresses, of one creator to one, and of all of
 * them to one. @throws RATE_LIMITED
 */
async function takeRequest({ engines, creator, now }: CreatorContext, tx: Tx, email: string): Promise<void> {
  const { userId } = creator;
  const turns = [
    { key: hashKey(engines.keys, 'consent_by', userId), limit: requestsADay },
    { key: hashKey(engines.keys, 'consent_to', `${userId} ${foldMailbox(email)}`), limit: requestsToOneADay },
  ];
  for (const turn of turns) {
    const taken = await takeRate(tx, { ...turn, windowSeconds: daySeconds, now });
    if (taken.isOver) throw refuseForNow(taken.retryAfterSeconds);
  }
  await takeMail({ engines, now, asSystem: (run) => tx.asSystem(run) }, 'mail_consent', email, pauseSeconds);
}

/** Looks whether somebody may be added to an album. @returns by which hashes they are recognised @throws NOT_FOUND, CONFLICT, VALIDATION */
async function checkNew(
  { engines, creator }: CreatorContext,
  tx: Tx,
  { albumId, email }: { albumId: string; email: string },
): Promise<EmailHashes> {
  const { id } = await holdOwnAlbum(tx, albumId);
  if ((await listPeople(tx, id)).length >= mostPeople)
    throw refuse('CONFLICT', { message: `An album can name up to ${formatCount(mostPeople, 'person', 'people')}.` });
  const hashes = await hashEmail(tx, engines.keys, email);
  if (await tx.asSystem((system) => areRequestsStopped(system, creator.userId, hashes)))
    throw refuse('VALIDATION', { field: 'email', message: "This address doesn't want to be asked by you again." });
  return hashes;
}

/** Refuses the creator's own address: its consent would prove nothing. @throws VALIDATION */
function checkNotOwn(ownEmail: string | undefined, email: string): void {
  if (ownEmail !== undefined && foldMailbox(ownEmail) === foldMailbox(email))
    throw refuse('VALIDATION', {
      field: 'email',
      message: 'This is your own address. Enter that of the person who is shown.',
    });
}

/** Mails a request in the caller's transaction. Nothing stands in it that was typed about the person or the album. */
async function mailRequest(
  { engines, now }: CreatorContext,
  tx: Tx,
  { email, token }: { email: string; token: string },
) {
  const consentLink = `${engines.installation.publicUrl}/consent#${token}`;
  const words = consentRequestedEmail({ consentLink });
  // Not an email of the creator's account: whoever reads those must not find the link among them.
  await queueEmail(tx, engines.jobs, { to: email, now, ...words });
}

/** Adds somebody who is shown in an album and mails them the request. @throws NOT_FOUND, VALIDATION, CONFLICT, RATE_LIMITED */
export async function addPerson(
  context: CreatorContext,
  input: { albumId: string; name: string; email: string },
): Promise<CoPerformer> {
  const { engines, creator, now, work, requestId } = context;
  const creation = creationOf(context, creator.userId, 'consents.add', input);
  const { albumId, name, email } = input;
  const me = await findMe(engines.database, creator.userId);
  checkNotOwn(me?.email, email);
  const id = newId<'coPerformer'>(now.getTime());
  const token = newToken(43);
  return work(async (tx) => {
    const made = await makeOnce(tx, creation, id, async () => {
      const hashes = await checkNew(context, tx, input);
      await takeRequest(context, tx, email);
      const row = { id, albumId, userId: creator.userId, name, email, emailHash: hashes[0], now };
      if (!(await insertPerson(tx, { ...row, tokenHash: hashToken(token) })))
        throw refuse('VALIDATION', { field: 'email', message: 'This address is in the list already.' });
      await sayPeople(tx, albumId, 'others_with_consent', now);
      await mailRequest(context, tx, { email, token });
      const target = { type: 'album', id: albumId };
      const actor = { type: creator.kind, id: creator.userId };
      await insertAudit(tx, { actor, action: 'consent.requested', target, details: { person: id }, requestId });
      await tx.publish({ kind: 'album.closed', creatorId: creator.userId, albumId });
    });
    const person = (await listPeople(tx, albumId)).find((one) => one.id === made);
    if (person === undefined) throw refuse('NOT_FOUND');
    return showPerson(person);
  });
}

/** Mails a request again that nobody has answered. @throws NOT_FOUND, CONFLICT, RATE_LIMITED */
export async function resendRequest(context: CreatorContext, id: string): Promise<CoPerformer> {
  const { creator, now, work } = context;
  const find = async (tx: Tx) => {
    const { person } = await holdOwnPerson(tx, id);
    if (person.state !== 'requested' || person.email === null)
      throw refuse('CONFLICT', { message: 'This request has been answered.' });
    return { ...person, email: person.email };
  };
  const token = newToken(43);
  return work(async (tx) => {
    const person = await find(tx);
    const { email } = person;
    await takeRequest(context, tx, email);
    await renewRequest(tx, id, hashToken(token), now);
    await mailRequest(context, tx, { email, token });
    const actor = { type: creator.kind, id: creator.userId };
    await insertAudit(tx, { actor, action: 'consent.requested_again', target: { type: 'coPerformer', id } });
    await tx.publish({
      kind: 'album.changed',
      creatorId: creator.userId,
      ...(person.albumId !== null && { albumId: person.albumId }),
    });
    return showPerson({ ...person, requestedAt: now, at: now });
  });
}
