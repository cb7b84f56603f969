import type { Engines } from '#engines/engines.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { findAsking } from '#features/orders/asking-back.ts';
import { findReceiptOrder } from '#features/orders/receipts.ts';
import { describeWhy } from '#features/orders/refund-sentences.ts';
import { findRefundStory } from '#features/orders/refunds-store.ts';
import { readSettings } from '#features/settings/store.ts';
import type { Context } from '#wire/context.ts';
import type { Receipt } from '../contract.ts';
import { showReceipt } from '../earnings/to-api.ts';

/** The receipt of a code; undefined where we gave no such code, or nothing was paid. */
export async function findReceipt(
  { engines, asSystem }: Pick<Context, 'asSystem'> & { engines: Engines },
  code: string,
): Promise<Receipt | undefined> {
  return asSystem(async (tx) => {
    const order = await findReceiptOrder(tx, engines, code);
    if (order === undefined || order.receiptNumber === null || order.paidAt === null) return undefined;
    const paid = { ...order, receiptNumber: order.receiptNumber, paidAt: order.paidAt };
    const asking = await findAsking(tx, order.id, moneyNow(engines));
    const story = await findRefundStory(tx, order.id);
    const why = story === undefined && order.refundedCents === 0 ? '' : describeWhy(story);
    const { 'money.statementDescriptor': statementDescriptor } = await readSettings(tx);
    return showReceipt(paid, { asking, why, isSandbox: !order.livemode, statementDescriptor });
  });
}
