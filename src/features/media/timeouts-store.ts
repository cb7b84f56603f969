import { statement, type Tx } from '#engines/database/work.ts';

/** A medium that has run out of time. */
export interface TimedOut {
  creatorId: string;
  kind: 'photo' | 'video';
  /** How often it has before. */
  timeouts: number;
}

const held = statement<TimedOut>(
  'medium_timed_out',
  `select creator_id as "creatorId", kind, timeouts from media
where id = $1 and attempts = $2 and state in ('uploaded', 'scanning', 'processing') and deleted_at is null for update`,
);
const postponed = statement(
  'medium_postponed',
  `update media set state = 'uploaded', progress = null, timeouts = timeouts + 1, retry_at = $2, fail_code = 'TIMEOUT', fail_text = $3
where id = $1`,
);
const givenUp = statement('medium_given_up', `update media set timeouts = timeouts + 1, retry_at = null where id = $1`);
const counted = statement<TimeoutCounts>(
  'media_timeouts',
  `select count(*) filter (where state in ('uploaded', 'scanning', 'processing'))::int as waiting,
  count(*) filter (where state = 'failed' and fail_code = 'TIMEOUT')::int as "givenUp", min(retry_at) as "nextAt"
from media where timeouts > 0 and deleted_at is null`,
);

/** What has run out of time in this installation. */
export interface TimeoutCounts {
  /** Tried again by itself. */
  waiting: number;
  /** Waiting for a person who tries again. */
  givenUp: number;
  nextAt: Date | null;
}

/** A medium whose try has run out of time; held until the transaction ends. @returns undefined when another try has begun, or it is gone */
export const holdTimedOut = async (
  tx: Tx,
  { mediaId, number }: { mediaId: string; number: number },
): Promise<TimedOut | undefined> => (await tx.query(held, [mediaId, number]))[0];

/** Puts it back to its beginning until `retryAt`. */
export async function postponeMedium(
  tx: Tx,
  { mediaId, creatorId, retryAt, text }: { mediaId: string; creatorId: string; retryAt: Date; text: string },
): Promise<void> {
  await tx.query(postponed, [mediaId, retryAt, text]);
  await tx.publish({ kind: 'media.progress', creatorId, mediaId });
}

/** Notes that it is not tried again by itself. */
export const noteGivenUp = async (tx: Tx, mediaId: string): Promise<void> => void (await tx.query(givenUp, [mediaId]));

/** Returns how many media have run out of time. */
export const countMediaTimeouts = async (tx: Tx): Promise<TimeoutCounts> =>
  (await tx.query(counted, []))[0] ?? { waiting: 0, givenUp: 0, nextAt: null };
