import type Stripe from 'stripe';
import type { BorneFee, Dispute, DisputeEvidence, DisputeOutcome, DisputePayments } from './disputes.ts';
import { keyOf } from './idempotency-keys.ts';
import type { PaymentState } from './plan-payments.ts';
import type { Ask } from './stripe-ask.ts';

const atOnce = 100;
/** Of a transfer that gives a creator again what was taken for a dispute. */
export const givenAgain = 'dispute_won';
/** Of a payment that takes the fee of a dispute from a creator's account, and of the transfer that gives it back. */
export const feeBorne = 'dispute_fee';
export const isFeeBorne = ({ kind }: Stripe.Metadata): boolean => kind === feeBorne;

const outcomes: Readonly<Partial<Record<string, DisputeOutcome>>> = {
  warning_needs_response: 'warning',
  warning_under_review: 'warning',
  warning_closed: 'over',
  prevented: 'over',
  needs_response: 'open',
  under_review: 'open',
  won: 'won',
  lost: 'lost',
  // What is appealed against was lost, until it is won after all.
  appeal_needs_response: 'lost',
  appeal_under_review: 'lost',
};

/** The bank waits for evidence, whatever it had before. */
const unanswered: readonly string[] = ['warning_needs_response', 'needs_response'];

const idOf = (value: string | { id: string } | null | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.id;

/** A word that nobody knows here keeps everything on hold, until somebody has looked. */
export function readDispute(dispute: Stripe.Dispute): Dispute {
  const {
    id,
    charge,
    payment_intent,
    status,
    amount,
    currency,
    reason,
    created,
    balance_transactions: lines,
  } = dispute;
  const { due_by, submission_count } = dispute.evidence_details;
  return {
    disputeId: id,
    chargeId: idOf(charge) ?? '',
    paymentId: idOf(payment_intent),
    status,
    standing: outcomes[status] ?? 'open',
    isUnknown: outcomes[status] === undefined,
    amountCents: amount,
    currency,
    reason,
    dueBy: due_by ? new Date(due_by * 1000) : undefined,
    takenCents: lines.reduce((sum, line) => sum - line.amount, 0),
    feeCents: lines.reduce((sum, line) => sum + line.fee, 0),
    // What was submitted for an inquiry answers no chargeback.
    isSubmitted: submission_count > 0 && !unanswered.includes(status),
    createdAt: new Date(created * 1000),
  };
}

/** What the disputes of a charge come to: one that is open or lost outweighs one that was won. */
export async function withDisputes(ask: Ask, payment: PaymentState): Promise<PaymentState> {
  const { isDisputed, chargeId: charge } = payment;
  if (!isDisputed || charge === undefined) return payment;
  const { data } = await ask(({ disputes }) => disputes.list({ charge, limit: atOnce }));
  const found = data.map((dispute) => readDispute(dispute).standing);
  const isLost = found.includes('lost');
  return { ...payment, isDisputed: isLost || found.includes('open') || found.length === 0, isLost };
}

async function* disputesOf(ask: Ask, since: Date | undefined) {
  let after: string | undefined;
  for (;;) {
    const { data, has_more } = await ask(({ disputes }) =>
      disputes.list({
        limit: atOnce,
        ...(since && { created: { gte: Math.floor(since.getTime() / 1000) } }),
        ...(after !== undefined && { starting_after: after }),
      }),
    );
    yield data.map(readDispute);
    after = data.at(-1)?.id;
    if (!has_more || after === undefined) return;
  }
}

/** What is left out stays as it was given before: an empty text takes it back. */
const takenBack = {
  customer_email_address: '',
  customer_purchase_ip: '',
  refund_policy_disclosure: '',
  cancellation_policy_disclosure: '',
} satisfies { [Field in keyof DisputeEvidence as undefined extends DisputeEvidence[Field] ? Field : never]-?: '' };

/** Disputes, by the provider's official library. */
export const disputesBy = (ask: Ask): DisputePayments => ({
  async findDispute(id) {
    return readDispute(await ask(({ disputes }) => disputes.retrieve(id)));
  },
  disputes: (since) => disputesOf(ask, since),
  async submitEvidence(id, words, attempt) {
    const evidence: Partial<Record<keyof typeof words, string>> = Object.fromEntries(
      [...Object.entries(attempt > 0 ? takenBack : {}), ...Object.entries(words)].filter(
        ([, text]) => text !== undefined,
      ),
    );
    const idempotencyKey = `disp-evidence:${id}:${attempt}`;
    await ask(({ disputes }) => disputes.update(id, { evidence, submit: true }, { idempotencyKey }));
  },
  async findPassedOn(chargeId) {
    const expand = ['transfer', 'application_fee'];
    const { transfer, application_fee: fee } = await ask(({ charges }) => charges.retrieve(chargeId, { expand }));
    if (transfer === undefined || typeof transfer === 'string') return undefined;
    const feeLeftCents = fee === null || typeof fee === 'string' ? 0 : fee.amount - fee.amount_refunded;
    return { transferId: transfer.id, leftCents: transfer.amount - transfer.amount_reversed, feeLeftCents };
  },
  async takeBack({ disputeId, transferId, amountCents: amount, feeCents, ...tried }) {
    const metadata = { dispute: disputeId };
    const params = { amount, metadata, ...(feeCents > 0 && { refund_application_fee: true }) };
    const idempotencyKey = keyOf(`disp-rev:${disputeId}`, tried);
    return (await ask(({ transfers }) => transfers.createReversal(transferId, params, { idempotencyKey }))).id;
  },
  async takeGivenBack({ refundId, transferId, amountCents: amount, ...tried }) {
    const params = { amount, metadata: { refund: refundId } };
    const idempotencyKey = keyOf(`refund-rev:${refundId}`, tried);
    return (await ask(({ transfers }) => transfers.createReversal(transferId, params, { idempotencyKey }))).id;
  },
  async giveAgain({ disputeId, chargeId, accountId: destination, amountCents: amount, currency, ...tried }) {
    const metadata = { kind: givenAgain, dispute: disputeId, charge: chargeId };
    const idempotencyKey = keyOf(`disp-won:${disputeId}`, tried);
    return (
      await ask(({ transfers }) => transfers.create({ amount, currency, destination, metadata }, { idempotencyKey }), {
        account: destination,
      })
    ).id;
  },
  async takeFee({ refusals = 0, ...borne }) {
    const { disputeId, accountId: source, amountCents: amount, currency } = borne;
    const idempotencyKey = `disp-fee:${disputeId}:${refusals}`;
    const params = { amount, currency, source, metadata: feeWords(borne) };
    return (await ask(({ charges }) => charges.create(params, { idempotencyKey }), { account: source })).id;
  },
  async giveFeeBack({ refusals, ...borne }) {
    const { disputeId, accountId: destination, amountCents: amount, currency } = borne;
    const idempotencyKey = keyOf(`disp-fee-back:${disputeId}`, { refusals });
    const params = { amount, currency, destination, metadata: feeWords(borne) };
    return (await ask(({ transfers }) => transfers.create(params, { idempotencyKey }), { account: destination })).id;
  },
});

const feeWords = ({ disputeId, chargeId, accountId }: BorneFee) => ({
  kind: feeBorne,
  dispute: disputeId,
  charge: chargeId,
  account: accountId,
});
