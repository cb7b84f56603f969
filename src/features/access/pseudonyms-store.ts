import { statement, type Tx } from '#engines/database/work.ts';

/**
 * SQL that reads the id by which a creator knows a viewer. Whatever a creator is shown of a viewer carries this one, never the
 * viewer's own: two creators who compare what they see must not find that they have a viewer in common.
 */
export const pseudonymOf = (creator: string, viewer: string): string =>
  `(select p.id from viewer_pseudonyms p where p.creator_id = ${creator} and p.viewer_id = ${viewer})`;

const viewerKnown = statement<{ viewerId: string }>(
  'viewer_of_pseudonym',
  'select viewer_id as "viewerId" from viewer_pseudonyms where creator_id = $1 and id = $2',
);

/** The viewer whom a creator knows by this id; undefined for any other creator's. */
export const findViewer = async (tx: Tx, creatorId: string, pseudonym: string): Promise<string | undefined> =>
  (await tx.query(viewerKnown, [creatorId, pseudonym]))[0]?.viewerId;
