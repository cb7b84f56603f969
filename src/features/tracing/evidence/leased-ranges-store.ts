import { statement, type Tx } from '#engines/database/work.ts';
import type { Stretches } from '../verdict/time-ranges.ts';

/** What of a video was lent to somebody. */
export interface LeasedRangesRow {
  grantId: string;
  mediaId: string;
  /** Null where some were lent before they were noted. */
  stretches: Stretches | null;
}

// Every rung shows the same seconds under the same codeword; sound has none.
const leased = statement<LeasedRangesRow>(
  'trace_lent',
  `select "grantId", "mediaId", case when "isNoted" then
  (select coalesce(json_agg(json_build_array(lower(s), upper(s)) order by n), '[]') from unnest(seconds) with ordinality as u(s, n)) end as stretches
from (select grant_id as "grantId", media_id as "mediaId", bool_and(lent_seconds is not null) as "isNoted", range_agg(lent_seconds) as seconds
  from deliveries where creator_id = $1 and grant_id = any($2::uuid[]) and media_id = any($3::uuid[]) and rendition in ('v720', 'v480')
  group by grant_id, media_id) d`,
);

/** Returns what was lent to these grants of these videos' pictures up to now; who was lent nothing of a video has no row of it. */
export const listLeased = (
  tx: Tx,
  creatorId: string,
  grantIds: readonly string[],
  mediaIds: readonly string[],
): Promise<LeasedRangesRow[]> => tx.query(leased, [creatorId, grantIds, mediaIds]);
