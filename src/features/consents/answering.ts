import type { Tx } from '#engines/database/work.ts';
import { slowNetwork } from '#features/accounts/limits.ts';
import { insertAudit } from '#features/audit/store.ts';
import {
  consentAnsweredEmail,
  consentGivenEmail,
  consentWithdrawnEmail,
  consentWithdrawnNoticeEmail,
} from '#features/notices/consent-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { endSales } from '#features/sales/ending.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { findAsked, holdAlbum, lockAlbum } from './album-store.ts';
import type { ConsentRequest, ConsentState } from './contract.ts';
import { hashToken } from './requesting.ts';
import { consentVersion, mayBecome, writeConsent } from './rules.ts';
import {
  findAlbumOf,
  findCreatorEmail,
  findPerson,
  type HeldPerson,
  holdPerson,
  keepConsent,
  moveConsent,
  stopRequests,
} from './store.ts';
import { showRequest } from './to-api.ts';

const refuseUnknown = () => refuse('GONE', { message: "This link doesn't work any more. Look for a newer email." });

/** Holds the album and the person that a mailed link is for. @throws GONE, whatever is wrong with it */
async function holdMailed(tx: Tx, token: string): Promise<HeldPerson> {
  const key = { tokenHash: hashToken(token) };
  const albumId = await findAlbumOf(tx, key);
  if (albumId != null) await holdAlbum(tx, albumId);
  const person = albumId === undefined ? undefined : await holdPerson(tx, key);
  if (person === undefined) throw refuseUnknown();
  return person;
}

async function shown(tx: Tx, person: HeldPerson): Promise<ConsentRequest> {
  const request = await showRequest(tx, person);
  if (request === undefined) throw refuseUnknown();
  return request;
}

/** Who asks for which album, and how it stands; changes nothing. @throws GONE */
export async function lookAtRequest(context: Context, token: string): Promise<ConsentRequest> {
  await slowNetwork(context, 'consent');
  return context.asSystem(async (tx) => {
    const person = await findPerson(tx, hashToken(token));
    if (person === undefined) throw refuseUnknown();
    return shown(tx, person);
  });
}

/** One step of whoever was asked: the same one again answers with what is there. @throws GONE, CONFLICT */
async function step(
  context: Context,
  token: string,
  to: ConsentState,
  run: (tx: Tx, person: HeldPerson) => Promise<void>,
): Promise<ConsentRequest> {
  await slowNetwork(context, 'consent');
  return context.asSystem(async (tx) => {
    const person = await holdMailed(tx, token);
    if (person.state === to) return shown(tx, person);
    if (person.endedAt !== null || person.albumId === null || !mayBecome(person.state, to))
      throw refuse('CONFLICT', { message: 'This request has been answered, or it is over.' });
    await run(tx, person);
    await insertAudit(tx, {
      actor: { type: 'visitor' },
      action: `consent.${to}`,
      target: { type: 'album', id: person.albumId },
      details: { person: person.id },
      requestId: context.requestId,
    });
    return shown(tx, await holdMailed(tx, token));
  });
}

const settingsOf = ({ installation }: Context['engines'], { albumId }: HeldPerson): string =>
  `${installation.publicUrl}/albums/${albumId}/settings`;

/** Keeps what was agreed to, by whom, when and from which country, and mails it with the way back. @throws GONE, CONFLICT */
export async function giveConsent(
  context: Context,
  { token, typedName }: { token: string; typedName: string },
): Promise<ConsentRequest> {
  const { engines, caller, now } = context;
  return step(context, token, 'given', async (tx, person) => {
    const asked = await findAsked(tx, person.userId, person.albumId);
    if (asked?.name == null) throw refuseUnknown();
    const words = writeConsent({ creatorName: asked.creatorName, albumName: asked.name });
    const country = engines.geoip.countryOf(caller.address);
    const items = asked.photoCount + asked.videoCount;
    await keepConsent(tx, person.id, { typedName, country, words, version: consentVersion, items }, now);
    const consentLink = `${engines.installation.publicUrl}/consent#${token}`;
    const email = consentGivenEmail({ consentLink });
    if (person.email !== null) await queueEmail(tx, engines.jobs, { to: person.email, now, ...email });
    await notifyAnswered(context, tx, person, true);
  });
}

/** Notes a no; "not me" also keeps this creator from asking the address again. @throws GONE, CONFLICT */
export async function refuseConsent(context: Context, token: string, isNotMe: boolean): Promise<ConsentRequest> {
  const { now } = context;
  return step(context, token, 'refused', async (tx, person) => {
    await moveConsent(tx, person.id, 'refused', now);
    if (isNotMe) await stopRequests(tx, person.userId, person.emailHash, now);
    await notifyAnswered(context, tx, person, false);
  });
}

async function notifyAnswered({ engines, now }: Context, tx: Tx, person: HeldPerson, isGiven: boolean) {
  const { userId, albumId } = person;
  if (albumId !== null) await tx.publish({ kind: 'album.changed', creatorId: userId, albumId });
  const to = await findCreatorEmail(tx, userId);
  if (to === undefined) return;
  const email = consentAnsweredEmail({ isGiven, settingsLink: settingsOf(engines, person) });
  await queueEmail(tx, engines.jobs, { userId, to, now, ...email });
}

/**
 * Takes a consent back: with the next request nobody sees the album any more, open screens close, what is being paid for it ends,
 * and its creator is told what to do. @throws GONE, CONFLICT
 */
export async function withdrawConsent(context: Context, token: string): Promise<ConsentRequest> {
  const { engines, now } = context;
  return step(context, token, 'withdrawn', async (tx, person) => {
    const { userId, albumId, email } = person;
    if (albumId === null) return;
    await moveConsent(tx, person.id, 'withdrawn', now);
    await lockAlbum(tx, albumId);
    await endSales(engines, tx, { albumIds: [albumId] });
    await tx.publish({ kind: 'album.closed', creatorId: userId, albumId });
    if (email !== null) await queueEmail(tx, engines.jobs, { to: email, now, ...consentWithdrawnEmail() });
    const to = await findCreatorEmail(tx, userId);
    const notice = consentWithdrawnNoticeEmail({ settingsLink: settingsOf(engines, person) });
    if (to !== undefined) await queueEmail(tx, engines.jobs, { userId, to, now, ...notice });
  });
}
