import { statement, type Tx } from '#engines/database/work.ts';

const ownSlug = statement<{ slug: string }>(
  'preview_own_slug',
  'select slug from magic_links where id = $1 and user_id = $2',
);

/** The address of a creator's own link; undefined for every other. */
export const findOwnSlug = async (tx: Tx, linkId: string, creatorId: string): Promise<string | undefined> =>
  (await tx.query(ownSlug, [linkId, creatorId]))[0]?.slug;

interface OwnAlbum {
  hostName: string;
  avatar: Buffer | null;
  takesRequests: boolean;
}

const ownAlbum = statement<OwnAlbum>(
  'preview_own_album',
  `select u.display_name as "hostName", u.avatar_small as avatar, b.allow_custom_requests and exists (
  select from request_settings q where q.user_id = u.id and q.is_on) as "takesRequests"
from albums b join users u on u.id = b.user_id where b.id = $1 and b.user_id = $2 and b.state <> 'deleting'`,
);

/** Returns how a creator shows themselves above one of their albums; undefined for every other. */
export const findOwnAlbum = async (tx: Tx, albumId: string, creatorId: string): Promise<OwnAlbum | undefined> =>
  (await tx.query(ownAlbum, [albumId, creatorId]))[0];

const ownerGrant = statement<{ id: string }>(
  'preview_owner_grant',
  `select id from grants where creator_id = $1 and user_id = $1 and kind = 'owner'`,
);

/** The grant under which a creator looks at their own pictures; undefined before their first look. */
export const findOwnGrant = async (tx: Tx, creatorId: string): Promise<string | undefined> =>
  (await tx.query(ownerGrant, [creatorId]))[0]?.id;
