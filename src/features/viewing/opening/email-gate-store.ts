import { isConflictOn } from '#engines/database/violations.ts';
import { statement, type Tx } from '#engines/database/work.ts';
import { openMailedCodes } from '../mailed-codes-store.ts';

/** Codes that prove an address at the email gate of a link. */
export const gateCodes = openMailedCodes({ kind: 'gate', table: 'gate_codes', subject: 'link_id' });

/** Whose address it is, and whether the browser that proves it becomes one more of theirs. */
export interface Owner {
  viewerId: string;
  /** The link knows this viewer, or its creator has blocked them: whoever proves their address is them. */
  isBound: boolean;
  /** The browser belongs to a viewer who has been let in by a link, has paid or has proven another address. */
  hasOwnPast: boolean;
}

const owner = statement<Owner>(
  'email_owner',
  `select v.id as "viewerId",
  (v.blocked_globally_at is not null or exists (select from link_viewers a where a.link_id = $2 and a.viewer_id = v.id)
    or exists (select from magic_links l join viewer_blocks b on b.creator_id = l.user_id where l.id = $2 and b.viewer_id = v.id)) as "isBound",
  (exists (select from link_viewers a where a.viewer_id = $3) or exists (select from checkout_orders o where o.viewer_id = $3)
    or exists (select from fan_subscriptions f where f.viewer_id = $3) or exists (select from custom_requests r where r.viewer_id = $3)
    or exists (select from album_access_requests q where q.viewer_id = $3)
    or exists (select from viewers w where w.id = $3 and w.email is not null)) as "hasOwnPast"
from viewers v where v.email = $1 and v.email_verified_at is not null`,
);

/** The viewer who has proven an address. @param viewerId of the browser that proves it now */
export async function findOwner(
  tx: Tx,
  { email, linkId, viewerId }: { email: string; linkId: string; viewerId: string | undefined },
): Promise<Owner | undefined> {
  return (await tx.query(owner, [email, linkId, viewerId ?? null]))[0];
}

const emailKept = statement<{ id: string }>(
  'viewer_email_kept',
  `update viewers set email = $2, email_verified_at = $3 where id = $1
and not exists (select from viewers o where o.email = $2 and o.email_verified_at is not null and o.id <> $1) returning id`,
);

/** Another browser has proven the same address since it was looked up whose it is. */
export class ProvenElsewhere extends Error {}

/** Gives a viewer the address that they have proven. @returns false when it is another one's. @throws what `isOwnerConflict` knows */
export const keepEmail = async (tx: Tx, viewerId: string, email: string, now: Date): Promise<boolean> =>
  (await tx.query(emailKept, [viewerId, email, now])).length === 1;

/** Returns whether a unit of work failed because another browser has proven the same address at the same moment. */
export const isOwnerConflict = (error: unknown): boolean =>
  error instanceof ProvenElsewhere || isConflictOn(error, 'viewers_proven_email');

const emailPassed = statement(
  'email_gate_passed',
  `insert into gate_passes (link_id, viewer_id, gate, rule_version, at, email) values ($1, $2, 'email', $3, $4, $5)
on conflict (link_id, viewer_id, gate) do update set rule_version = excluded.rule_version, at = excluded.at, email = excluded.email`,
);

/** An address that a viewer has proven for a link takes the place of the one before. */
export async function keepEmailPass(tx: Tx, { linkId, viewerId, policyVersion, email, now }: EmailPass): Promise<void> {
  await tx.query(emailPassed, [linkId, viewerId, policyVersion, now, email]);
}

export interface EmailPass {
  linkId: string;
  viewerId: string;
  policyVersion: number;
  email: string;
  now: Date;
}

const passesTaken = statement(
  'gate_passes_taken_along',
  `with passes as (
  insert into gate_passes (link_id, viewer_id, gate, rule_version, at)
  select link_id, $3, gate, rule_version, at from gate_passes where link_id = $1 and viewer_id = $2 and gate = 'password'
  on conflict (link_id, viewer_id, gate) do update set rule_version = excluded.rule_version, at = excluded.at
)
update viewers v set age_confirmed_at = w.age_confirmed_at from viewers w
where v.id = $3 and w.id = $2 and w.age_confirmed_at > coalesce(v.age_confirmed_at, '-infinity')`,
);

/** What was said at the other gates of a link in a browser counts for the viewer whose browser it becomes. */
export async function takePassesAlong(tx: Tx, linkId: string, fromViewerId: string, toViewerId: string): Promise<void> {
  await tx.query(passesTaken, [linkId, fromViewerId, toViewerId]);
}

const namesTaken = statement(
  'pseudonyms_taken_along',
  `insert into viewer_pseudonyms (creator_id, viewer_id)
select user_id, $2::uuid from album_access_requests where viewer_id = $1 on conflict (creator_id, viewer_id) do nothing`,
);

const requestsTaken = statement(
  'access_requests_taken_along',
  `with requests as (
  update album_access_requests r set viewer_id = $2 where r.viewer_id = $1 and not (r.request_status = 'pending' and exists (
    select from album_access_requests o where o.viewer_id = $2 and o.album_id = r.album_id and o.request_status = 'pending'))
)
update album_access_grants set viewer_id = $2 where viewer_id = $1`,
);

/** What was asked for and given in a browser stays with the person whose browser it turns out to be. */
export async function takeRequestsAlong(tx: Tx, fromViewerId: string, toViewerId: string): Promise<void> {
  await tx.query(namesTaken, [fromViewerId, toViewerId]);
  await tx.query(requestsTaken, [fromViewerId, toViewerId]);
}
