import { statement, type Tx } from '#engines/database/work.ts';

/** A browser as a creator's page knows it. */
export interface PageVisitor {
  deviceId: string;
  viewerId: string;
  /** By this creator, or by whoever runs the installation. */
  isBlocked: boolean;
}

// Who has turned out to be another viewer is that one.
const visitor = statement<PageVisitor>(
  'page_visitor',
  `select d.id as "deviceId", v.id as "viewerId", v.blocked_globally_at is not null
  or exists (select from viewer_blocks b where b.creator_id = $2 and b.viewer_id = v.id) as "isBlocked"
from viewer_devices d join viewers me on me.id = d.viewer_id
join viewers v on v.id = case when me.merged_into is null then me.id else me.merged_into end
where d.secret_hash = $1`,
);

/** Whose browser this is; undefined for one that was never kept. */
export const findPageVisitor = async (
  source: Pick<Tx, 'query'>,
  secretHash: Buffer,
  creatorId: string,
): Promise<PageVisitor | undefined> => (await source.query(visitor, [secretHash, creatorId]))[0];
