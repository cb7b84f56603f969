import { statement, type Tx } from '#engines/database/work.ts';
import { splitVideoTime, type VideoTime } from './rules.ts';

const had = statement<Pick<VideoTime, 'usedSeconds' | 'extraSeconds'>>(
  'video_time_had',
  `select case when month = $2::date then used_seconds else 0 end as "usedSeconds", extra_seconds as "extraSeconds" from video_time where user_id = $1`,
);
const begun = statement(
  'video_time_begun',
  'insert into video_time (user_id, month) values ($1, $2::date) on conflict (user_id) do nothing',
);
const held = statement<{ one: number }>(
  'video_time_held',
  'select 1 as one from video_time where user_id = $1 for update',
);
const kept = statement(
  'video_time_kept',
  'update video_time set month = $2::date, used_seconds = $3, extra_seconds = $4 where user_id = $1',
);
const takenBy = statement<{ one: number }>(
  'video_time_taken_by',
  'select 1 as one from video_time_taken where media_id = $1',
);
const taken = statement(
  'video_time_taken',
  'insert into video_time_taken (media_id, user_id, month, free_seconds, extra_seconds) values ($1, $2, $3::date, $4, $5)',
);
const returned = statement<{ userId: string; month: string; freeSeconds: number; extraSeconds: number }>(
  'video_time_untaken',
  `delete from video_time_taken where media_id = $1
returning user_id as "userId", month, free_seconds as "freeSeconds", extra_seconds as "extraSeconds"`,
);
const putBack = statement(
  'video_time_put_back',
  `update video_time set extra_seconds = extra_seconds + $4,
  used_seconds = case when month = $2::date then greatest(0, used_seconds - $3) else used_seconds end where user_id = $1`,
);
const added = statement(
  'video_time_added',
  `insert into video_time as v (user_id, month, extra_seconds) values ($1, $2::date, $3)
on conflict (user_id) do update set extra_seconds = v.extra_seconds + $3`,
);

interface OfMonth {
  userId: string;
  /** The first instant of the month, in UTC. */
  month: Date;
}

const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);

/** Returns how much video a creator has had made in a month, and what is left of the time that they paid for. */
export const findVideoTime = async (tx: Tx, { userId, month }: OfMonth) =>
  (await tx.query(had, [userId, dayOf(month)]))[0] ?? { usedSeconds: 0, extraSeconds: 0 };

/** Whether a video has taken its time before: made again, it costs nothing. */
export const hasTakenTime = async (tx: Tx, mediaId: string): Promise<boolean> =>
  (await tx.query(takenBy, [mediaId])).length > 0;

/**
 * Takes the time of one video, once however often it is tried: of the month's free time first, then of what was paid for.
 * @returns what there was, when it is too little and nothing was taken
 */
export async function takeVideoTime(
  tx: Tx,
  { mediaId, seconds, freeSeconds, ...of }: OfMonth & { mediaId: string; seconds: number; freeSeconds: number },
): Promise<VideoTime | undefined> {
  const month = dayOf(of.month);
  await tx.query(begun, [of.userId, month]);
  await tx.query(held, [of.userId]);
  if ((await tx.query(takenBy, [mediaId])).length > 0) return undefined;
  const time = { ...(await findVideoTime(tx, of)), freeSeconds };
  const parts = splitVideoTime(time, seconds);
  if (parts === undefined) return time;
  const { free, extra } = parts;
  await tx.query(kept, [of.userId, month, time.usedSeconds + free, time.extraSeconds - extra]);
  await tx.query(taken, [mediaId, of.userId, month, free, extra]);
  return undefined;
}

/** Gives back what a video has taken that can't be made; free time only in its month. */
export async function returnVideoTime(tx: Tx, mediaId: string): Promise<void> {
  const [time] = await tx.query(returned, [mediaId]);
  if (time === undefined) return;
  await tx.query(putBack, [time.userId, time.month, time.freeSeconds, time.extraSeconds]);
}

/** Adds time that was paid for; it stays until it is used. */
export const addVideoTime = async (tx: Tx, { userId, month }: OfMonth, seconds: number): Promise<void> =>
  void (await tx.query(added, [userId, dayOf(month), seconds]));
