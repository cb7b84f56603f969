import { createHmac } from 'node:crypto';
import { statement, type Tx } from '#engines/database/work.ts';
import type { KeyRing } from '#engines/keys/key-ring.ts';
import { foldMailbox } from '#features/accounts/rules.ts';
import { findMailKeys } from '#features/notices/mail-keys-store.ts';
import type { CoPerformer } from './contract.ts';

/** Keyed hashes by which an address is recognised that is not kept; what is new is stored under the first. */
export type EmailHashes = readonly [string, ...string[]];

/** Hashes an address, however its mailbox is written. */
export async function hashEmail(tx: Tx, keys: KeyRing, email: string): Promise<EmailHashes> {
  const about = `consent\0${foldMailbox(email)}`;
  const hashOf = (key: Buffer) => createHmac('sha256', key).update(about).digest('base64url');
  const { all } = await tx.asSystem((system) => findMailKeys(system, keys, 'suppressed'));
  const [first, ...others] = all;
  return [hashOf(first), ...others.map(hashOf)];
}

const shown = `p.id, p.name, p.email, p.consent_state as state, p.requested_at as "requestedAt", p.at, p.pictures_gone_at as "picturesGoneAt"`;

const listed = statement<CoPerformer>(
  'co_performers_listed',
  `select ${shown} from co_performers p where p.album_id = $1 and p.ended_at is null order by p.requested_at, p.id limit 100`,
);

/** Who is shown in an album of the asking creator beside them. */
export const listPeople = (tx: Tx, albumId: string): Promise<CoPerformer[]> => tx.query(listed, [albumId]);

const inserted = statement<{ id: string }>(
  'co_performer_added',
  `insert into co_performers (id, album_id, user_id, name, email, email_hash, consent_state, token_hash, requested_at, at)
values ($1, $2, $3, $4, $5, $6, 'requested', $7, $8, $8) on conflict (album_id, email_hash) where ended_at is null do nothing returning id`,
);

export interface NewPerson {
  id: string;
  albumId: string;
  userId: string;
  name: string;
  email: string;
  emailHash: string;
  tokenHash: Buffer;
  now: Date;
}

/** @returns false when the album has somebody with that address already */
export async function insertPerson(tx: Tx, person: NewPerson): Promise<boolean> {
  const { id, albumId, userId, name, email, emailHash, tokenHash, now } = person;
  return (await tx.query(inserted, [id, albumId, userId, name, email, emailHash, tokenHash, now])).length === 1;
}

/** A person of an album that is held until the transaction ends. */
export interface HeldPerson extends CoPerformer {
  albumId: string | null;
  userId: string;
  emailHash: string;
  words: string | null;
  endedAt: Date | null;
}

const whole = `select ${shown}, p.album_id as "albumId", p.user_id as "userId", p.email_hash as "emailHash", p.agreed_words as words,
  p.ended_at as "endedAt" from co_performers p`;
const byId = statement<HeldPerson>('co_performer_held', `${whole} where p.id = $1 for update`);
const byToken = statement<HeldPerson>('co_performer_by_token', `${whole} where p.token_hash = $1 for update`);
const seenByToken = statement<HeldPerson>('co_performer_seen', `${whole} where p.token_hash = $1`);
const albumOf = statement<{ albumId: string | null }>(
  'co_performer_album',
  'select album_id as "albumId" from co_performers where id = $1 or token_hash = $2',
);

/** How a person is found: by the creator who asked them, or by the secret that they were mailed. */
export type PersonKey = { id: string } | { tokenHash: Buffer };

/** The album first, then the person: whoever writes both holds them in this order. */
export async function findAlbumOf(tx: Tx, key: PersonKey): Promise<string | null | undefined> {
  const [row] = await tx.query(albumOf, ['id' in key ? key.id : null, 'id' in key ? null : key.tokenHash]);
  return row?.albumId;
}

export async function holdPerson(tx: Tx, key: PersonKey): Promise<HeldPerson | undefined> {
  const [row] = 'id' in key ? await tx.query(byId, [key.id]) : await tx.query(byToken, [key.tokenHash]);
  return row;
}

/** Whom a mailed link is for, as it stands just now. */
export const findPerson = async (tx: Tx, tokenHash: Buffer): Promise<HeldPerson | undefined> =>
  (await tx.query(seenByToken, [tokenHash]))[0];

const requested = statement(
  'co_performer_requested_again',
  'update co_performers set token_hash = $2, requested_at = $3, at = $3 where id = $1',
);

/** Gives a request a new secret in the place of the one before. */
export const renewRequest = async (tx: Tx, id: string, tokenHash: Buffer, now: Date): Promise<void> =>
  void (await tx.query(requested, [id, tokenHash, now]));

const given = statement(
  'co_performer_agreed',
  `update co_performers set consent_state = 'given', at = $2, given_at = $2, typed_name = $3, country = $4, agreed_words = $5,
  agreed_version = $6, agreed_items = $7 where id = $1`,
);

/** What is kept as the proof of a consent. */
export interface Agreement {
  typedName: string;
  country: string | undefined;
  words: string;
  version: string;
  items: number;
}

export const keepConsent = async (tx: Tx, id: string, agreement: Agreement, now: Date): Promise<void> => {
  const { typedName, country, words, version, items } = agreement;
  await tx.query(given, [id, now, typedName, country ?? null, words, version, items]);
};

const moved = statement('co_performer_moved', 'update co_performers set consent_state = $2, at = $3 where id = $1');

/** Notes a refusal or a withdrawal. */
export const moveConsent = async (tx: Tx, id: string, state: 'refused' | 'withdrawn', now: Date): Promise<void> =>
  void (await tx.query(moved, [id, state, now]));

const ended = statement(
  'co_performer_ended',
  'update co_performers set ended_at = $2, email = null where id = $1 and ended_at is null',
);

/** The person is none of the album's any more; the proof stays, without the address. */
export const endPerson = async (tx: Tx, id: string, now: Date): Promise<void> =>
  void (await tx.query(ended, [id, now]));

const picturesGone = statement(
  'co_performer_pictures_gone',
  'update co_performers set pictures_gone_at = $2 where id = $1',
);

/** Notes that the creator says a person's pictures are out of the album; null takes it back. */
export const notePicturesGone = async (tx: Tx, id: string, at: Date | null): Promise<void> =>
  void (await tx.query(picturesGone, [id, at]));

const stopped = statement(
  'consent_stopped',
  'insert into consent_stops (user_id, email_hash, at) values ($1, $2, $3) on conflict do nothing',
);

/** Keeps a creator from asking an address again. */
export const stopRequests = async (tx: Tx, userId: string, emailHash: string, now: Date): Promise<void> =>
  void (await tx.query(stopped, [userId, emailHash, now]));

const isStopped = statement<{ isStopped: boolean }>(
  'consent_is_stopped',
  'select exists (select from consent_stops where user_id = $1 and email_hash = any($2)) as "isStopped"',
);

export const areRequestsStopped = async (tx: Tx, userId: string, hashes: EmailHashes): Promise<boolean> =>
  (await tx.query(isStopped, [userId, hashes]))[0]?.isStopped === true;

const told = statement<{ email: string }>(
  'consent_creator_told',
  `select email from users where id = $1 and email_verified and status in ('active', 'limited')`,
);

/** Returns where the creator who asked can be told; undefined when they cannot be reached. */
export const findCreatorEmail = async (tx: Tx, userId: string): Promise<string | undefined> =>
  (await tx.query(told, [userId]))[0]?.email;

const gone = statement(
  'co_performers_of_gone_albums',
  'update co_performers set ended_at = $1, email = null where album_id is null and ended_at is null',
);
const forgotten = statement('co_performers_forgotten', 'delete from co_performers where ended_at < $1');

/** Ends the consents to albums that are gone, and forgets proofs of before a moment. */
export async function sweepProofs(tx: Tx, now: Date, before: Date): Promise<void> {
  await tx.query(gone, [now]);
  await tx.query(forgotten, [before]);
}

export interface WaitingPerson {
  id: string;
  albumId: string;
  userId: string;
  creatorEmail: string;
  withdrawnAt: Date;
  picturesGoneAt: Date;
  items: number;
  /** Items that left the album since the withdrawal, as far as that is still known. */
  left: number;
}

const waiting = statement<WaitingPerson>(
  'co_performers_to_look_at',
  `select p.id, p.album_id as "albumId", p.user_id as "userId",
  (select u.email from users u where u.id = p.user_id) as "creatorEmail", p.at as "withdrawnAt", p.pictures_gone_at as "picturesGoneAt",
  (select count(*)::int from album_items i join media m on m.id = i.media_id and m.deleted_at is null where i.album_id = p.album_id) as items,
  (select count(distinct d.media_id)::int from album_departures d where d.album_id = p.album_id and d.at >= p.at) as left
from co_performers p where p.consent_state = 'withdrawn' and p.ended_at is null and p.pictures_gone_at is not null and p.album_id is not null
order by p.pictures_gone_at limit 200`,
);

/** Withdrawals of which the creator says that the pictures are gone, those that wait for longest first. */
export const listWaiting = (tx: Tx): Promise<WaitingPerson[]> => tx.query(waiting, []);
