import { statement, type Tx } from '#engines/database/work.ts';

const passInserted = statement<{ id: string }>(
  'fan_pass_inserted',
  `insert into fan_subscriptions (id, source, creator_id, creator_name, viewer_id, tier_id, tier_name, status, amount_cents, currency,
  period_start, period_end, cancel_at_period_end, created_at)
select $1, 'pass', t.creator_id, u.display_name, $2, t.id, t.name, 'active', 0, t.currency, $4, $5, true, $4
from fan_tiers t join users u on u.id = t.creator_id where t.id = $3 returning id`,
);

/**
 * Gives a viewer what a tier opens, for nothing and without renewal.
 * @param endsAt null for one that does not end
 * @returns false when there is no such tier
 */
export async function insertFanPass(
  tx: Tx,
  { id, viewerId, tierId, endsAt, now }: { id: string; viewerId: string; tierId: string; endsAt: Date | null; now: Date },
): Promise<boolean> {
  return (await tx.ask(passInserted, [id, viewerId, tierId, now, endsAt])).length === 1;
}

const passEnded = statement<{ id: string }>(
  'fan_pass_ended',
  `update fan_subscriptions set status = 'canceled', ended_at = $2 where id = $1 and source = 'pass' and ended_at is null returning id`,
);

/** Takes a free pass back. @returns false when it has ended before */
export const endFanPass = async (tx: Tx, id: string, now: Date): Promise<boolean> =>
  (await tx.ask(passEnded, [id, now])).length === 1;
