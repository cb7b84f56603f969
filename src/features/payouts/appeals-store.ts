import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';

export interface AppealRow {
  id: string;
  text: string;
  createdAt: Date;
  answer: string | null;
  isGranted: boolean | null;
}

type Source = Pick<Tx, 'query'>;

const newest = statement<AppealRow>(
  'payout_appeal_newest',
  `select id, text, created_at as "createdAt", answer, is_granted as "isGranted" from payout_appeals
where user_id = $1 and provider = $2 and livemode = $3 order by created_at desc limit 1`,
);

/** What a creator has said last about being held. */
export const findAppeal = async (
  tx: Source,
  { provider, livemode }: Realm,
  userId: string,
): Promise<AppealRow | undefined> => (await tx.query(newest, [userId, provider, livemode]))[0];

const inserted = statement<{ id: string }>(
  'payout_appeal_inserted',
  `insert into payout_appeals (id, user_id, provider, livemode, text, created_at) values ($1, $2, $3, $4, $5, $6)
on conflict (user_id, provider, livemode) where answered_at is null do nothing returning id`,
);

/** @returns false while one of theirs waits for an answer */
export async function insertAppeal(
  tx: Tx,
  { provider, livemode }: Realm,
  { id, userId, text, now }: { id: string; userId: string; text: string; now: Date },
): Promise<boolean> {
  return (await tx.query(inserted, [id, userId, provider, livemode, text, now])).length === 1;
}

const answered = statement<{ text: string }>(
  'payout_appeal_answered',
  `update payout_appeals set answer = $4, is_granted = $5, answered_at = $6
where user_id = $1 and provider = $2 and livemode = $3 and answered_at is null returning text`,
);

/** @returns false when nothing of theirs waits */
export async function answerAppeal(
  tx: Tx,
  { provider, livemode }: Realm,
  { userId, answer, isGranted, now }: { userId: string; answer: string; isGranted: boolean; now: Date },
): Promise<boolean> {
  return (await tx.query(answered, [userId, provider, livemode, answer, isGranted, now])).length === 1;
}
