import { statement, type Tx } from '#engines/database/work.ts';
import type { Question } from '#features/access/store.ts';
import type { LeaseRow } from '#features/media/leases-store.ts';
import { isFullRendition } from '#features/media/rules.ts';

type Source = Pick<Tx, 'ask'>;

/**
 * The least time in which a photo, or a second of a film, can be looked at: half as long as the fastest play takes, so that who
 * watches and seeks as people do is never stopped by it. It bounds what a browser gets that tells nothing of its watching.
 */
export const leastLookMs = 250;

// The creator's own look uses nothing up.
const photosLent = statement(
  'photos_lent',
  `update link_viewers set lent_ms = lent_ms + $4 * (
  select count(*) from unnest($2::uuid[], $3::text[]) as w(media_id, rendition) where not exists (
    select from deliveries d where d.grant_id = $1 and d.media_id = w.media_id and d.rendition = w.rendition))
where id = $1 and not is_own`,
);
const secondsLent = statement(
  'film_seconds_lent',
  'update link_viewers set lent_ms = lent_ms + $3 * $2::bigint where id = $1 and not is_own',
);

const hasViewingTime = ({ link, facts }: Question): boolean =>
  (facts.boughtUnder ?? link.policy).viewBudgetMs !== undefined;

/** Uses up viewing time for the full photos that were never lent to this viewer before; call it before the leases are written. */
export async function countPhotosLent(source: Source, question: Question, leases: readonly LeaseRow[]): Promise<void> {
  const full = leases.filter(({ rendition }) => isFullRendition(rendition));
  if (full.length === 0 || !hasViewingTime(question)) return;
  const columns = [full.map(({ mediaId }) => mediaId), full.map(({ rendition }) => rendition)];
  await source.ask(photosLent, [question.grantId, ...columns, leastLookMs]);
}

/** Uses up viewing time for seconds of a film whose keys are lent. */
export async function countSecondsLent(source: Source, question: Question, seconds: number): Promise<void> {
  if (hasViewingTime(question)) await source.ask(secondsLent, [question.grantId, seconds, leastLookMs]);
}
