import { implement } from '@orpc/server';
import { slowNetwork } from '#features/accounts/limits.ts';
import { insertAudit } from '#features/audit/store.ts';
import { answerAsking, askBack } from '#features/orders/asking-back.ts';
import { findOrderHere } from '#features/orders/orders-store.ts';
import { findReceiptOrder } from '#features/orders/receipts.ts';
import { listOfCreator, listWaiting } from '#features/orders/refund-requests-store.ts';
import { opens } from '#features/orders/rules.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { requireSignIn } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { checkBearable } from './bearing-refunds.ts';
import { refundsContract } from './contract.ts';
import { refundNow } from './refunding-now.ts';

const answer = implement(refundsContract).$context<Context>();

export const refundsApi = answer.router({
  ask: answer.ask.handler(async ({ context, input: { code, reason, text } }) => {
    const { engines, asSystem } = context;
    await slowNetwork(context, 'ask_refund');
    await asSystem(async (tx) => {
      const order = await findReceiptOrder(tx, engines, code);
      if (order === undefined || order.paidAt === null) throw refuse('NOT_FOUND');
      await askBack(engines, tx, order, { reason, text: text.trim() });
    });
    return {};
  }),
  waiting: answer.waiting.use(requireSignIn).handler(async ({ context: { engines, creator, work } }) => {
    const rows = await work((tx) => listOfCreator(tx, engines.payments.realm, creator.userId));
    return {
      requests: rows.map(
        ({
          orderId,
          sold,
          amountCents,
          refundedCents,
          currency,
          reason,
          text,
          createdAt,
          answerUntil,
          wasRefused,
        }) => ({
          orderId,
          kind: sold,
          amountCents: amountCents - refundedCents,
          currency,
          reason,
          text,
          at: createdAt,
          answerUntil,
          wasRefused,
        }),
      ),
    };
  }),
  answer: answer.answer.use(requireSignIn).handler(async ({ context, input: { orderId, isRefunded, text } }) => {
    const { engines, creator, asSystem, requestId } = context;
    if (!isRefunded && text.trim() === '') throw refuse('VALIDATION', { field: 'text', message: 'Tell the buyer why' });
    const { 'money.mostDebtCents': mostDebtCents } = await settingsOf(engines);
    await asSystem(async (tx) => {
      const order = await findOrderHere(tx, engines.payments.realm, orderId);
      if (order?.creatorId !== creator.userId) throw refuse('NOT_FOUND');
      const request = (await listWaiting(tx, orderId)).find(({ state }) => state === 'creator');
      if (request === undefined) throw refuse('CONFLICT', { message: 'This request has already been answered.' });
      if (isRefunded && !opens(order.state)) throw refuse('DISPUTED');
      if (isRefunded) await checkBearable(tx, order, mostDebtCents);
      const by = { kind: 'creator', userId: creator.userId } as const;
      if (!(await answerAsking(engines, tx, request, { by, isRefunded, text: text.trim() })))
        throw refuse('CONFLICT', { message: 'This request has already been answered.' });
      const action = isRefunded ? 'order.refund_accepted' : 'order.refund_declined';
      const actor = { type: creator.kind, id: creator.userId };
      await insertAudit(tx, { actor, action, target: { type: 'order', id: orderId }, requestId });
    });
    return { state: isRefunded ? await refundNow(engines, orderId) : 'declined' };
  }),
});
