import { statement, type Tx } from '#engines/database/work.ts';

/**
 * SQL that reads the id by which a creator knows a viewer. Whatever a creator is shown of a viewer carries this one, never the
 * viewer's own: two creators who compare what they see must not find that they have a viewer in common.
 */
export const pseudonymOf = (creator: string, viewer: string): string =>
  `(select p.id from viewer_pseudonyms p where p.creator_id = ${creator} and p.viewer_id = ${viewer})`;

// Its tables have names that no statement around it has: of "k.viewer_id = k.viewer_id" every viewer would have the same name.
/**
 * SQL that reads the name by which a creator knows a viewer: the one they gave, else the recipient of the first link that this viewer was
 * the first to open; null for neither.
 */
export const givenNameOf = (creator: string, viewer: string): string => `coalesce(
  (select named.alias from viewer_aliases named where named.creator_id = ${creator} and named.viewer_id = ${viewer}),
  (select by_link.recipient_name from link_viewers came join magic_links by_link on by_link.id = came.link_id
    where came.creator_id = ${creator} and came.viewer_id = ${viewer} and not came.is_own and by_link.recipient_name <> ''
      and not exists (select from link_viewers earlier
        where earlier.link_id = came.link_id and not earlier.is_own and earlier.first_admitted_at < came.first_admitted_at)
    order by came.first_admitted_at limit 1))`;

const viewerKnown = statement<{ viewerId: string }>(
  'viewer_of_pseudonym',
  'select viewer_id as "viewerId" from viewer_pseudonyms where creator_id = $1 and id = $2',
);

/** The viewer whom a creator knows by this id; undefined for any other creator's. */
export const findViewer = async (tx: Tx, creatorId: string, pseudonym: string): Promise<string | undefined> =>
  (await tx.query(viewerKnown, [creatorId, pseudonym]))[0]?.viewerId;
