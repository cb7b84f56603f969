import type Stripe from 'stripe';
import { post } from './books.ts';
import { refused } from './errors.ts';
import { type Params, wordAt, wordsAt } from './params.ts';
import type { World } from './world.ts';

const disputeFee = 1500;
const answerSeconds = 7 * 86_400;

const addLine = (world: World, dispute: Stripe.Dispute, amount: number, fee: number): void => {
  const id = post(world, { type: 'adjustment', amount, fee, source: dispute.id });
  dispute.balance_transactions = [...dispute.balance_transactions, world.find('balance_transaction', id)];
};

/** The bank of whoever has paid only has a question, or takes the money back. */
export function openDispute(world: World, charge: Stripe.Charge, kind: 'dispute' | 'inquiry'): void {
  const dispute = world.add('dispute', 'dp', {
    amount: charge.amount - charge.amount_refunded,
    currency: charge.currency,
    charge: charge.id,
    payment_intent: charge.payment_intent,
    reason: 'fraudulent',
    is_charge_refundable: kind === 'inquiry',
    status: kind === 'inquiry' ? 'warning_needs_response' : 'needs_response',
  });
  dispute.evidence_details.due_by = world.now() + answerSeconds;
  if (dispute.payment_method_details?.card)
    dispute.payment_method_details.card.case_type = kind === 'inquiry' ? 'inquiry' : 'chargeback';
  charge.disputed = true;
  if (kind === 'dispute') addLine(world, dispute, -dispute.amount, disputeFee);
}

/** The bank reports a payment as fraud, without disputing it. */
export function openWarning(world: World, charge: Stripe.Charge): void {
  world.add('radar.early_fraud_warning', 'issfr', { charge: charge.id });
}

/** Nothing can be done about a payment that went back whole, or is disputed. */
export function readWarning(world: World, warning: Stripe.Radar.EarlyFraudWarning): Stripe.Radar.EarlyFraudWarning {
  const { refunded, disputed } = world.find('charge', String(warning.charge));
  return { ...warning, actionable: !refunded && !disputed };
}

const unanswered: readonly string[] = ['needs_response', 'warning_needs_response'];

/** Takes evidence; what the bank says to it comes a little later. */
export function updateDispute(world: World, id: string, params: Params): Stripe.Dispute {
  const dispute = world.find('dispute', id);
  if (!unanswered.includes(dispute.status)) throw refused('This dispute is already closed or has been submitted.');
  dispute.evidence = { ...dispute.evidence, ...wordsAt(params, 'evidence') };
  dispute.metadata = { ...dispute.metadata, ...wordsAt(params, 'metadata') };
  if (wordAt(params, 'submit') === 'false') return dispute;
  dispute.evidence_details.has_evidence = true;
  dispute.evidence_details.submission_count += 1;
  const isInquiry = dispute.status === 'warning_needs_response';
  dispute.status = isInquiry ? 'warning_under_review' : 'under_review';
  const word = dispute.evidence.uncategorized_text ?? '';
  world.later.push(() => decide(world, dispute, word));
  return dispute;
}

/** The bank reads one of the published words, and nothing else. */
function decide(world: World, dispute: Stripe.Dispute, word: string): void {
  const isInquiry = dispute.status === 'warning_under_review';
  if (word === 'escalate_inquiry_evidence' && isInquiry) {
    dispute.status = 'needs_response';
    dispute.is_charge_refundable = false;
    if (dispute.payment_method_details?.card) dispute.payment_method_details.card.case_type = 'chargeback';
    addLine(world, dispute, -dispute.amount, disputeFee);
  }
  if (word === 'winning_evidence') {
    dispute.status = isInquiry ? 'warning_closed' : 'won';
    if (!isInquiry) addLine(world, dispute, dispute.amount, 0);
  }
  if (word === 'losing_evidence') dispute.status = isInquiry ? 'warning_closed' : 'lost';
}

/** Returns whether the money of a charge is with its bank. */
export const isTaken = (world: World, chargeId: string): boolean =>
  world
    .all('dispute')
    .some(({ charge, status }) => charge === chargeId && ['needs_response', 'under_review', 'lost'].includes(status));
