import type { Dispute, DisputeEvidence } from '#engines/payments/disputes.ts';
import type { FraudWarning } from '#engines/payments/fraud-warnings.ts';
import type { Fact } from '#tests/proofs/stripe/side.ts';
import { accountOf, type Decision, eventually, type Paid, type Side } from '../side.ts';
import type { Step } from '../step.ts';
import { booked, endOf, hersOf, kindOf, orderOf } from './scenes.ts';

/** The words that Stripe has published for what a bank of a test decides. */
const decisive: Readonly<Record<Decision, string>> = {
  won: 'winning_evidence',
  lost: 'losing_evidence',
  escalated: 'escalate_inquiry_evidence',
};

const evidenceFor = (decision: Decision): DisputeEvidence => ({
  product_description: 'Private album',
  customer_email_address: 'buyer@example.com',
  service_date: '2026-11-20',
  access_activity_log: '2026-11-20 10:00 opened, 3 photos, 312 s',
  refund_policy_disclosure: 'Shown before paying.',
  uncategorized_text: decisive[decision],
});

const findDispute = (side: Side, { chargeId }: Paid): Promise<Dispute> =>
  eventually(side, 'the dispute', async () => {
    for await (const page of side.payments.disputes(side.startedAt))
      for (const dispute of page) if (dispute.chargeId === chargeId) return dispute;
    return undefined;
  });

const factsOf = ({ status, standing, isUnknown, amountCents, takenCents, feeCents, isSubmitted, reason }: Dispute) => ({
  status,
  standing,
  isUnknown,
  amount: amountCents,
  taken: takenCents,
  fee: feeCents,
  isSubmitted,
  reason,
});

/** Sends evidence by the adapter, and waits for what the bank makes of it. */
async function answer(side: Side, disputeId: string, decision: Decision, attempt = 0): Promise<Fact> {
  await side.payments.submitEvidence(disputeId, evidenceFor(decision), attempt);
  await side.people.decide(disputeId, decision);
  const decided = await eventually(side, 'a decision', async () => {
    const found = await side.payments.findDispute(disputeId);
    return found.status.endsWith('under_review') ? undefined : found;
  });
  return factsOf(decided);
}

/** Takes what a creator has of a payment back, as the room above does. */
async function takeBack(side: Side, paid: Paid, disputeId: string): Promise<Fact> {
  const passedOn = await side.payments.findPassedOn(paid.chargeId);
  if (passedOn === undefined) return null;
  const { transferId, leftCents: amountCents, feeLeftCents: feeCents } = passedOn;
  await side.payments.takeBack({ disputeId, transferId, amountCents, feeCents });
  const left = await side.payments.findPassedOn(paid.chargeId);
  return [amountCents, feeCents, left?.leftCents ?? 0, left?.feeLeftCents ?? 0];
}

const won: Step = {
  name: 'a dispute that is won',
  async run(side) {
    const before = await hersOf(side);
    const paid = await side.people.pay(orderOf(side, 'won', { amountCents: 5000 }), 'disputed');
    const dispute = await findDispute(side, paid);
    const refund = { refundId: `${side.run}-won`, orderId: 'none', paymentId: paid.paymentId, amountCents: 5000 };
    const refundMeanwhile = await endOf(side.payments.refund({ ...refund, reason: 'duplicate' }));
    const { transferId = '' } = (await side.payments.findPassedOn(paid.chargeId)) ?? {};
    const back = await takeBack(side, paid, dispute.disputeId);
    const meanwhile = (await hersOf(side)) - before;
    const decided = await answer(side, dispute.disputeId, 'won');
    const again = { disputeId: dispute.disputeId, chargeId: paid.chargeId, accountId: accountOf(side) };
    const beyond = { ...again, disputeId: `${side.run}-beyond`, amountCents: 90_000_000, currency: 'usd' };
    const tooMuch = await endOf(side.payments.giveAgain(beyond));
    await side.people.fund();
    const given = await endOf(side.payments.giveAgain({ ...again, amountCents: 4500, currency: 'usd' }));
    const { payments, startedAt: since } = side;
    const found = await Promise.all([
      payments.findMade({ kind: 'reversal', transferId, of: { disputeId: dispute.disputeId } }),
      payments.findMade({ kind: 'given_again', disputeId: dispute.disputeId, accountId: accountOf(side), since }),
      payments.findMade({ kind: 'given_again', disputeId: 'none', accountId: accountOf(side), since }),
    ]);
    return {
      found: found.map(kindOf),
      opened: factsOf(dispute),
      isDueLater: dispute.dueBy !== undefined,
      refundMeanwhile,
      back,
      meanwhile,
      decided,
      tooMuch,
      given,
      hers: (await hersOf(side)) - before,
      lines: await booked(side, paid, 8),
    };
  },
};

const lost: Step = {
  name: 'a dispute that is lost',
  async run(side) {
    const paid = await side.people.pay(orderOf(side, 'lost', { amountCents: 5000 }), 'disputed');
    const dispute = await findDispute(side, paid);
    const decided = await answer(side, dispute.disputeId, 'lost');
    const late = await endOf(side.payments.submitEvidence(dispute.disputeId, evidenceFor('won'), 1));
    return { decided, late, lines: await booked(side, paid, 4) };
  },
};

const inquiry: Step = {
  name: 'an inquiry that becomes a dispute',
  async run(side) {
    const paid = await side.people.pay(orderOf(side, 'inquiry', { amountCents: 5000 }), 'inquired');
    const dispute = await findDispute(side, paid);
    const escalated = await answer(side, dispute.disputeId, 'escalated');
    const decided = await answer(side, dispute.disputeId, 'lost', 1);
    return { opened: factsOf(dispute), escalated, decided, lines: await booked(side, paid, 4) };
  },
};

const findWarning = (side: Side, { chargeId }: Paid): Promise<FraudWarning> =>
  eventually(side, 'the warning', async () => {
    for await (const page of side.payments.warnings(side.startedAt))
      for (const warning of page) if (warning.chargeId === chargeId) return warning;
    return undefined;
  });

const warning: Step = {
  name: 'a warning of fraud',
  async run(side) {
    const paid = await side.people.pay(orderOf(side, 'warned'), 'warned');
    const { warningId, isActionable, fraudType } = await findWarning(side, paid);
    const refund = { refundId: `${side.run}-warned`, orderId: `${side.run}-warned`, paymentId: paid.paymentId };
    await side.payments.refund({ ...refund, amountCents: 2499, reason: 'fraudulent' });
    const afterwards = await eventually(side, 'the end of the warning', async () => {
      const found = await side.payments.findWarning(warningId);
      return found.isActionable ? undefined : found;
    });
    return { isActionable, fraudType, isActionableAfterwards: afterwards.isActionable };
  },
};

/** Payments that their card holders or banks complain of. */
export const disputes: Step[] = [won, lost, inquiry, warning];
