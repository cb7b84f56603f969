import { statement, type Tx } from '#engines/database/work.ts';
import type { Question } from '#features/access/store.ts';
import type { LeaseRow } from '#features/media/leases-store.ts';
import { isFullRendition } from '#features/media/rules.ts';
import { decideGoing, type No } from '../refusals.ts';

type Source = Pick<Tx, 'query'>;

/**
 * The least time in which one photo, or one second of a video, can be looked at. Whoever is lent as many as a minute allows uses
 * up half a minute: photos and videos together never more than the clock, so that nobody who tells what they watch is stopped by it.
 * @param perMinute how many of them are lent in a minute at most
 */
export const leastLookMs = (perMinute: number): number => Math.ceil(30_000 / perMinute);

interface Counted {
  mayGoOn: boolean;
}

// Calls at the same moment wait for each other here. The creator's own look uses nothing up.
const counted = (amount: string) => `with counted as (
  update link_viewers set lent_ms = lent_ms + ${amount} where id = $1 and not is_own and lent_ms < $2 returning id
)
select exists (select from counted) or exists (select from link_viewers where id = $1 and is_own) as "mayGoOn"`;
const secondsLent = statement<Counted>('video_seconds_lent', counted('$3::bigint * $4::bigint'));
const photosLent = statement<Counted>(
  'photos_lent',
  counted(`$3::bigint * (
    select count(*) from unnest($4::uuid[], $5::text[]) as w(media_id, rendition) where not exists (
      select from deliveries d where d.grant_id = $1 and d.media_id = w.media_id and d.rendition = w.rendition))`),
);

/** What a viewing time counts against. */
export interface ViewingTime {
  question: Question;
  /** Of the decision; undefined when there is no limit, and then nothing is counted. */
  viewBudgetMs: number | undefined;
  now: Date;
}

/** What was used up before paying counts no more, and stays in the row. */
const mostLentMs = ({ question, viewBudgetMs = 0 }: ViewingTime) => viewBudgetMs + question.usedBefore.lentMs;

/**
 * Uses up viewing time for full photos that were never lent to this viewer before; call it before the leases are written.
 * @returns the refusal when it is used up
 */
export async function countLeasedPhotos(
  source: Source,
  time: ViewingTime,
  leases: readonly LeaseRow[],
  perMinute: number,
): Promise<No | undefined> {
  const { question, viewBudgetMs } = time;
  const full = leases.filter(({ rendition }) => isFullRendition(rendition));
  if (full.length === 0 || viewBudgetMs === undefined) return undefined;
  const columns = [full.map(({ mediaId }) => mediaId), full.map(({ rendition }) => rendition)];
  const values = [question.grantId, mostLentMs(time), leastLookMs(perMinute), ...columns];
  return refusalOf(time, await source.query(photosLent, values));
}

/** The same for seconds of a video whose keys are lent. */
export async function countLeasedSeconds(
  source: Source,
  time: ViewingTime,
  seconds: number,
  perMinute: number,
): Promise<No | undefined> {
  const { question, viewBudgetMs } = time;
  if (seconds === 0 || viewBudgetMs === undefined) return undefined;
  const values = [question.grantId, mostLentMs(time), leastLookMs(perMinute), seconds];
  return refusalOf(time, await source.query(secondsLent, values));
}

function refusalOf({ question, viewBudgetMs = 0, now }: ViewingTime, [row]: Counted[]): No | undefined {
  if (row?.mayGoOn === true) return undefined;
  const going = decideGoing({ ...question, facts: { ...question.facts, lentMs: viewBudgetMs } }, now);
  if (going.ok) throw new Error('A viewing time that is used up was decided to go on.');
  return going;
}
