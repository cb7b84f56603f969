import { implement } from '@orpc/server';
import { requireScope } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { adminPaymentsContract } from '../payments-contract.ts';
import { checkBooks, replayEvent, showBooks, showEvents } from './books.ts';
import { acceptDispute, showDispute, showDisputes, submitDispute } from './disputes.ts';
import { answerBuyer, findOrders, findWaitingOrders, refundOrder, showOrder } from './orders.ts';
import { holdPayouts, refuseAppeal, releasePayouts, showPayouts } from './payouts.ts';

const answer = implement(adminPaymentsContract).$context<Context>();
const finance = requireScope('finance');
/** The empty answer of a call that has nothing to tell. */
const done = {};

/** Payments, and what is decided about them. */
export const adminPaymentsApi = answer.router({
  findOrders: answer.findOrders.use(finance).handler(({ context, input }) => findOrders(context, input)),
  waitingOrders: answer.waitingOrders
    .use(finance)
    .handler(async ({ context }) => ({ orders: await findWaitingOrders(context) })),
  showOrder: answer.showOrder.use(finance).handler(({ context, input }) => showOrder(context, input.orderId)),
  refundOrder: answer.refundOrder
    .use(finance)
    .handler(async ({ context, input }) => ({ amountCents: await refundOrder(context, input) })),
  answerBuyer: answer.answerBuyer.use(finance).handler(async ({ context, input }) => {
    await answerBuyer(context, input);
    return done;
  }),
  disputes: answer.disputes.use(finance).handler(({ context, input }) => showDisputes(context, input.page)),
  showDispute: answer.showDispute.use(finance).handler(({ context, input }) => showDispute(context, input.disputeId)),
  submitDispute: answer.submitDispute.use(finance).handler(async ({ context, input }) => {
    await submitDispute(context, input.disputeId);
    return done;
  }),
  acceptDispute: answer.acceptDispute.use(finance).handler(async ({ context, input }) => {
    await acceptDispute(context, input);
    return done;
  }),
  payouts: answer.payouts.use(finance).handler(({ context, input }) => showPayouts(context, input.page)),
  holdPayouts: answer.holdPayouts.use(finance).handler(async ({ context, input }) => {
    await holdPayouts(context, input);
    return done;
  }),
  releasePayouts: answer.releasePayouts.use(finance).handler(async ({ context, input }) => {
    await releasePayouts(context, input);
    return done;
  }),
  refuseAppeal: answer.refuseAppeal.use(finance).handler(async ({ context, input }) => {
    await refuseAppeal(context, input);
    return done;
  }),
  events: answer.events.use(finance).handler(({ context, input }) => showEvents(context, input.page)),
  replayEvent: answer.replayEvent.use(finance).handler(async ({ context, input }) => {
    await replayEvent(context, input.eventId);
    return done;
  }),
  books: answer.books.use(finance).handler(({ context }) => showBooks(context)),
  checkBooks: answer.checkBooks.use(finance).handler(async ({ context }) => {
    await checkBooks(context);
    return done;
  }),
});
