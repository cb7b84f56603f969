import { implement } from '@orpc/server';
import { PaymentsAway } from '#engines/payments/payments.ts';
import { confirmPassword } from '#features/accounts/confirm-password.ts';
import { insertAudit } from '#features/audit/store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { payoutScheduleEmail } from '#features/notices/payout-emails.ts';
import { insertAppeal } from '#features/payouts/appeals-store.ts';
import { listHolds } from '#features/payouts/holds-store.ts';
import { notifyOperator, writeToPayee } from '#features/payouts/notify-payouts.ts';
import { intervalNames } from '#features/payouts/payout-words.ts';
import { findPayee, setInterval } from '#features/payouts/payouts-store.ts';
import { leastPayoutCents } from '#features/payouts/rules.ts';
import { newId } from '#kit/ids.ts';
import { formatMoney } from '#kit/text.ts';
import { requireSignIn } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { payNow } from '../paying-out.ts';
import { payoutsContract } from './payouts-contract.ts';

const answer = implement(payoutsContract).$context<Context>();

export const payoutsApi = answer.router({
  setSchedule: answer.setSchedule.use(requireSignIn).handler(async ({ context, input: { interval, password } }) => {
    const { engines, creator, asSystem, requestId } = context;
    const { userId } = creator;
    const { realm } = engines.payments;
    if ((await asSystem((tx) => findPayee(tx, realm, userId))) === undefined) throw refuse('PAYOUTS_NOT_READY');
    const forget = await confirmPassword(context, password, 'payouts');
    const now = moneyNow(engines);
    await asSystem(async (tx) => {
      await forget(tx);
      if (!(await setInterval(tx, realm, userId, interval))) return;
      const actor = { type: creator.kind, id: userId };
      await insertAudit(tx, { actor, action: 'payouts.schedule_changed', details: { interval }, requestId });
      await writeToPayee(engines, tx, { userId, now }, ({ payoutsPage }) =>
        payoutScheduleEmail({ payoutsPage, interval: intervalNames[interval] }),
      );
    });
    return {};
  }),
  payNow: answer.payNow.use(requireSignIn).handler(async ({ context: { engines, creator, asSystem } }) => {
    const payee = await asSystem((tx) => findPayee(tx, engines.payments.realm, creator.userId));
    if (payee !== undefined && payee.interval !== 'manual') throw refuse('CONFLICT', { message: notByHand });
    const paid = await payNow(engines, creator.userId).catch((error: unknown) => {
      throw error instanceof PaymentsAway ? refuse('PROVIDER_DOWN') : error;
    });
    if (paid === 'not_ready') throw refuse('PAYOUTS_NOT_READY');
    if (paid === 'too_little') throw refuse('CONFLICT', { message: tooLittle });
    return { state: paid === 'held' ? 'held' : 'started' };
  }),
  appeal: answer.appeal.use(requireSignIn).handler(async ({ context, input: { text } }) => {
    const { engines, creator, asSystem, requestId } = context;
    const { userId } = creator;
    const { realm } = engines.payments;
    const now = moneyNow(engines);
    await asSystem(async (tx) => {
      const holds = await listHolds(tx, { userId, realm });
      if (holds.length === 0) throw refuse('CONFLICT', { message: 'Your payouts are no longer on hold.' });
      const id = newId<'appeal'>(now.getTime());
      if (!(await insertAppeal(tx, realm, { id, userId, text, now })))
        throw refuse('CONFLICT', { message: "You've already appealed. We'll email you the answer." });
      await insertAudit(tx, { actor: { type: creator.kind, id: userId }, action: 'payouts.appealed', requestId });
      const why = holds.map(({ code }) => code).join(', ');
      await notifyOperator(engines, tx, { userId, why, appeal: text, now });
    });
    return {};
  }),
});

const notByHand = 'Your payouts leave on their own schedule.';
const tooLittle = `A payout takes at least ${formatMoney(leastPayoutCents, 'USD')}.`;
