import { statement, type Tx } from '#engines/database/work.ts';

const receiptKept = statement<{ number: number }>(
  'receipt_kept',
  'insert into receipts (order_id, at) values ($1, $2) on conflict do nothing returning number',
);

const receiptFound = statement('receipt_of', 'select 1 from receipts where order_id = $1');
/** A number that was drawn before is drawn again so often. */
const mostDraws = 20;

/** Numbers the receipt of an order, by a number that tells nothing of others. @returns undefined when it has one already */
export async function insertReceipt(tx: Tx, orderId: string, now: Date): Promise<number | undefined> {
  for (let draw = 0; draw < mostDraws; draw++) {
    const [receipt] = await tx.query(receiptKept, [orderId, now]);
    if (receipt !== undefined) return receipt.number;
    if ((await tx.query(receiptFound, [orderId])).length > 0) return undefined;
  }
  throw new Error('No number is left for a receipt.');
}
