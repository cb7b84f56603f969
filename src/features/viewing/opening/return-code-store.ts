import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';

/** A viewer whom a link knows. */
export interface Returning {
  linkId: string;
  viewerId: string;
}

// By the gate of this very link first: an address may be one viewer's by a proof and another's by a payment.
const returning = statement<Returning>(
  'viewer_by_address',
  `select l.id as "linkId", v.id as "viewerId" from magic_links l
join lateral (
  select p.viewer_id, 1 as rank from gate_passes p where p.link_id = l.id and p.gate = 'email' and p.email = $2
  union all
  select w.id, 2 from viewers w where w.email = $2 and w.email_verified_at is not null
  union all
  select o.viewer_id, 3 from checkout_orders o join buyers b on b.id = o.buyer_id
  where o.link_id = l.id and b.email = $2 and o.paid_at is not null and o.provider = $3 and o.livemode = $4 and o.retired_at is null
) k on true
join viewers me on me.id = k.viewer_id
join viewers v on v.id = coalesce(me.merged_into, me.id)
join link_viewers a on a.link_id = l.id and a.viewer_id = v.id and not a.is_own
where l.slug = $1 and not l.is_revoked and l.taken_down_at is null and (l.expires_at is null or l.expires_at > $5 or k.rank = 3)
  and a.blocked_at is null and v.blocked_globally_at is null
  and not exists (select from viewer_blocks x where x.creator_id = l.user_id and x.viewer_id = v.id)
order by k.rank, a.last_visit_at desc limit 1`,
);

/** Whom a link that still opens has let in, and who is known to it by this address; undefined when there is nobody. */
export async function findReturning(
  tx: Tx,
  { slug, email, realm, now }: { slug: string; email: string; realm: Realm; now: Date },
): Promise<Returning | undefined> {
  return (await tx.query(returning, [slug, email, realm.provider, realm.livemode, now]))[0];
}

const kept = statement(
  'return_code_kept',
  `insert into viewer_resume_codes (id, link_id, viewer_id, code_hash, expires_at, created_at) values ($1, $2, $3, $4, $5, $6)`,
);

/** Keeps the hash of a code beside the others of this viewer: what they have saved stays good. */
export async function insertReturnCode(
  tx: Tx,
  {
    id,
    linkId,
    viewerId,
    codeHash,
    expiresAt,
    now,
  }: Returning & { id: string; codeHash: Buffer; expiresAt: Date; now: Date },
): Promise<void> {
  await tx.query(kept, [id, linkId, viewerId, codeHash, expiresAt, now]);
}
