import { statement, type Tx } from '#engines/database/work.ts';

const own = statement(
  'order_own',
  `select from checkout_orders o join viewer_devices d on d.viewer_id = o.viewer_id where o.id = $1 and d.secret_hash = $2`,
);

/** Returns whether it was this browser, or another of the same viewer, that paid. */
export const isOwnOrder = async (source: Pick<Tx, 'query'>, orderId: string, secretHash: Buffer): Promise<boolean> =>
  (await source.query(own, [orderId, secretHash])).length > 0;

const opened = statement<{ open_for_ms: number | null }>(
  'order_open_for',
  'select open_for_ms from checkout_orders where id = $1',
);

/** For how long what was bought opens from the first look on; undefined without a limit. */
export const findOpenForMs = async (source: Pick<Tx, 'query'>, orderId: string): Promise<number | undefined> =>
  (await source.query(opened, [orderId]))[0]?.open_for_ms ?? undefined;

const page = statement<{ handle: string }>(
  'order_page',
  'select u.handle from checkout_orders o join users u on u.id = o.creator_id where o.id = $1 and o.on_page and u.has_public_page and u.handle is not null',
);

/** Where a tip was sent that was sent on a creator's page, while they keep that open. */
export async function findPagePath(source: Pick<Tx, 'query'>, orderId: string): Promise<string | undefined> {
  const [row] = await source.query(page, [orderId]);
  return row && `/@${row.handle}`;
}
