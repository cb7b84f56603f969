import { statement, type Tx } from '#engines/database/work.ts';

/** A link whose end its maker has not been told of. */
export interface Expiring {
  linkId: string;
  userId: string;
  at: Date;
}

// A link that was made for two days or less ends as soon as it was meant to; a link that is being changed waits for the next time.
const expiring = statement<Expiring>(
  'expiring_told',
  `with due as (
  select id from magic_links
  where not is_revoked and expires_at > $1 and expires_at <= $1::timestamptz + interval '24 hours'
    and created_at < expires_at - interval '48 hours' and expiry_told_for is distinct from expires_at
  order by expires_at limit 200 for no key update skip locked
)
update magic_links l set expiry_told_for = l.expires_at from due d where l.id = d.id
returning l.id as "linkId", l.user_id as "userId", l.expires_at as at`,
);

/** Takes links that end within 24 hours, and notes that it is told with the caller's transaction. */
export async function takeExpiring(tx: Tx, now: Date): Promise<Expiring[]> {
  return tx.query(expiring, [now]);
}
