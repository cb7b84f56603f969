import { statement, type Tx } from '#engines/database/work.ts';

const own = statement(
  'order_own',
  `select from checkout_orders o join viewer_devices d on d.viewer_id = o.viewer_id where o.id = $1 and d.secret_hash = $2`,
);

/** Whether it was this browser, or another of the same viewer, that paid. */
export const isOwnOrder = async (source: Pick<Tx, 'ask'>, orderId: string, secretHash: Buffer): Promise<boolean> =>
  (await source.ask(own, [orderId, secretHash])).length > 0;
