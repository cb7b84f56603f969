import { statement, type Tx } from '#engines/database/work.ts';

/**
 * SQL that reads the id by which a creator knows a viewer. Whatever a creator is shown of a viewer carries this one, never the
 * viewer's own: two creators who compare what they see must not find that they have a viewer in common.
 */
export const pseudonymOf = (creator: string, viewer: string): string =>
  `(select p.id from viewer_pseudonyms p where p.creator_id = ${creator} and p.viewer_id = ${viewer})`;

/**
 * SQL that reads the name by which a creator knows a viewer: the one they gave, else the recipient of the first link that this viewer was
 * the first to open; null for neither.
 */
export const givenNameOf = (creator: string, viewer: string): string => `coalesce(
  (select n.alias from viewer_aliases n where n.creator_id = ${creator} and n.viewer_id = ${viewer}),
  (select r.recipient_name from link_viewers k join magic_links r on r.id = k.link_id
    where k.creator_id = ${creator} and k.viewer_id = ${viewer} and not k.is_own and r.recipient_name <> ''
      and not exists (select from link_viewers o where o.link_id = k.link_id and not o.is_own and o.first_admitted_at < k.first_admitted_at)
    order by k.first_admitted_at limit 1))`;

const viewerKnown = statement<{ viewerId: string }>(
  'viewer_of_pseudonym',
  'select viewer_id as "viewerId" from viewer_pseudonyms where creator_id = $1 and id = $2',
);

/** The viewer whom a creator knows by this id; undefined for any other creator's. */
export const findViewer = async (tx: Tx, creatorId: string, pseudonym: string): Promise<string | undefined> =>
  (await tx.query(viewerKnown, [creatorId, pseudonym]))[0]?.viewerId;
