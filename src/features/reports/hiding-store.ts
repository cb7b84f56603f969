import { statement, type Tx } from '#engines/database/work.ts';

/** What is closed to everybody but its creator. */
export interface Hidden {
  creatorId: string;
  linkId: string | null;
  albumId: string | null;
}

const targets = statement(
  'report_targets',
  `insert into report_targets (report_id, link_id, album_id)
  select $1::uuid, $2::uuid, null::uuid union all select $1, null, album_id from link_albums where link_id = $2
  on conflict do nothing`,
);
const linkHidden = statement<Hidden>(
  'report_hides_link',
  `update magic_links l set taken_down_at = coalesce(l.taken_down_at, $2) from report_targets t
  where t.report_id = $1 and l.id = t.link_id returning l.user_id as "creatorId", l.id as "linkId", null::uuid as "albumId"`,
);
const albumsHidden = statement<Hidden>(
  'report_hides_albums',
  `update albums a set taken_down_at = coalesce(a.taken_down_at, $2) from report_targets t
  where t.report_id = $1 and a.id = t.album_id returning a.user_id as "creatorId", null::uuid as "linkId", a.id as "albumId"`,
);

/** Closes a link and the albums in it: they are reachable by other links as well. `decide` gives nobody keys for them then. */
export async function hideTargets(tx: Tx, reportId: string, linkId: string, now: Date): Promise<Hidden[]> {
  await tx.query(targets, [reportId, linkId]);
  const links = await tx.query(linkHidden, [reportId, now]);
  return [...links, ...(await tx.query(albumsHidden, [reportId, now]))];
}

const isHeldByNoOther = (column: 'link_id' | 'album_id', id: string) => `not exists (select from report_targets o
  join reports r on r.id = o.report_id and r.state in ('hidden', 'removed') where o.${column} = ${id} and o.report_id <> $1)`;
const linkShown = statement<Hidden>(
  'report_shows_link',
  `update magic_links l set taken_down_at = null from report_targets t
  where t.report_id = $1 and l.id = t.link_id and ${isHeldByNoOther('link_id', 'l.id')}
  returning l.user_id as "creatorId", l.id as "linkId", null::uuid as "albumId"`,
);
const albumsShown = statement<Hidden>(
  'report_shows_albums',
  `update albums a set taken_down_at = null from report_targets t
  where t.report_id = $1 and a.id = t.album_id and ${isHeldByNoOther('album_id', 'a.id')}
  returning a.user_id as "creatorId", null::uuid as "linkId", a.id as "albumId"`,
);

/** Opens again what a report closed, unless another one keeps it closed. */
export async function showTargets(tx: Tx, reportId: string): Promise<Hidden[]> {
  return [...(await tx.query(linkShown, [reportId])), ...(await tx.query(albumsShown, [reportId]))];
}
