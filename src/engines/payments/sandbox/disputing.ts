import type Stripe from 'stripe';
import * as z from 'zod';
import { type Books, daySeconds, SandboxError, writeLine } from './books.ts';
import { amount, type Call, type Endpoints, expandable, flag, metadata, page, paged, read, show } from './calls.ts';
import { makeDispute } from './dispute-object.ts';
import { listObjects, listOverdue, platform } from './store.ts';
import { followWarning } from './warning.ts';

/** The provider's test card whose holder disputes what was paid with it. */
export const disputedCard = '4000000000000259';

const answerSeconds = 7 * daySeconds;
/** What a dispute costs, however it ends; assumed. */
const feeOfDispute = 1500;

/** What is moved for a dispute, written in the books and in the dispute itself. */
async function move(books: Books, dispute: Stripe.Dispute, cents: number, fee: number): Promise<Stripe.Dispute> {
  const { currency, id: source } = dispute;
  const line = { type: 'adjustment' as const, amount: cents, currency, source, fee, availableIn: 0 };
  const id = await writeLine(books, platform, line);
  const written = await books.find<Stripe.BalanceTransaction>(id, 'balance_transaction');
  return books.keep({ ...dispute, balance_transactions: [...dispute.balance_transactions, written] });
}

const leftOf = ({ amount, amount_refunded }: Stripe.Charge): number => amount - amount_refunded;

/** Makes a dispute of all that is left of a payment. @throws SandboxError where nothing is */
async function openDispute(books: Books, chargeId: string, status: Stripe.Dispute.Status): Promise<Stripe.Dispute> {
  const charge = await books.find<Stripe.Charge>(chargeId, 'charge');
  const left = leftOf(charge);
  if (charge.disputed || charge.status !== 'succeeded' || left === 0)
    throw new SandboxError(400, 'parameter_invalid', `Nothing of ${chargeId} can be disputed.`);
  const disputed = await books.keep({ ...charge, disputed: true });
  await followWarning(books, disputed);
  const { currency, payment_intent } = charge;
  const about = { amount: left, currency, charge: charge.id, payment_intent, status, created: books.now };
  return books.keep(makeDispute(about, books.now + answerSeconds));
}

/** Whoever has paid disputes it with their bank, which takes the money at once. @throws SandboxError where nothing is left of it */
export async function disputeCharge(books: Books, chargeId: string): Promise<Stripe.Dispute> {
  const bare = await openDispute(books, chargeId, 'needs_response');
  const dispute = await move(books, bare, -bare.amount, feeOfDispute);
  await books.publish('charge.dispute.created', dispute);
  await books.publish('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** The bank of whoever has paid only asks about it, and takes nothing. @throws SandboxError where nothing is left of it */
export async function inquireAbout(books: Books, chargeId: string): Promise<Stripe.Dispute> {
  const inquiry = await openDispute(books, chargeId, 'warning_needs_response');
  await books.publish('charge.dispute.created', inquiry);
  return inquiry;
}

/** A chargeback comes of an inquiry, answered or not: the bank takes the money, and waits for an answer again. @throws SandboxError where it is none */
export async function escalateInquiry(books: Books, id: string): Promise<void> {
  const inquiry = await books.find<Stripe.Dispute>(id, 'dispute');
  const left = leftOf(await books.find<Stripe.Charge>(String(inquiry.charge), 'charge'));
  if (!isInquiry(inquiry) || left === 0)
    throw new SandboxError(400, 'parameter_invalid', `${id} is no inquiry about anything that is left.`);
  const evidence_details = { ...inquiry.evidence_details, due_by: books.now + answerSeconds };
  const opened = { ...inquiry, status: 'needs_response' as const, amount: left, evidence_details };
  const dispute = await move(books, opened, -left, feeOfDispute);
  await books.publish('charge.dispute.updated', dispute);
  await books.publish('charge.dispute.funds_withdrawn', dispute);
}

const isInquiry = ({ status }: Stripe.Dispute) =>
  status === 'warning_needs_response' || status === 'warning_under_review';

const isUndecided = ({ status }: Stripe.Dispute) => status === 'needs_response' || status === 'under_review';

/** The bank decides. @param more whether it returns what the dispute has cost, where it is won @returns false when it has already */
export async function decideDispute(
  books: Books,
  id: string,
  isWon: boolean,
  { returnsFee = false }: { returnsFee?: boolean | undefined } = {},
): Promise<boolean> {
  const dispute = await books.find<Stripe.Dispute>(id, 'dispute');
  if (!isUndecided(dispute)) return false;
  const decided = { ...dispute, status: isWon ? ('won' as const) : ('lost' as const) };
  const kept = isWon
    ? await move(books, decided, dispute.amount, returnsFee ? -feeOfDispute : 0)
    : await books.keep(decided);
  if (isWon) await books.publish('charge.dispute.funds_reinstated', kept);
  await books.publish('charge.dispute.closed', kept);
  return true;
}

/** Whoever does not answer in time has lost. */
export async function loseOverdue(books: Books): Promise<void> {
  for (const { id } of await listOverdue(books.tx, books.now)) await decideDispute(books, id, false);
}

/** Returns whether the money of a charge is with a bank, or went back by one. */
export async function isWithBank({ tx }: Books, charge: string): Promise<boolean> {
  const asked = { type: 'dispute', account: platform, where: { charge }, limit: 100 };
  return ((await listObjects(tx, asked)) as Stripe.Dispute[]).some(
    (dispute) => dispute.status !== 'won' && !isInquiry(dispute),
  );
}

async function listDisputes({ tx }: Books, call: Call): Promise<object> {
  const created = z.strictObject({ gte: amount }).optional();
  const shape = z.strictObject({ ...paged, created, charge: z.string().optional() });
  const { limit, starting_after: after, created: from, charge } = read(shape, call);
  const asked = { type: 'dispute', account: platform, where: { charge }, since: from?.gte, after, limit };
  return page(await listObjects(tx, asked), limit, '/v1/disputes');
}

const text = z.string().max(20_000).optional();
/** A bank reads no more than this of all of it. */
const mostEvidence = 150_000;

const EvidenceParams = z.strictObject({
  ...expandable,
  evidence: z
    .strictObject({
      product_description: text,
      customer_email_address: text,
      customer_purchase_ip: text,
      service_date: text,
      access_activity_log: text,
      refund_policy_disclosure: text,
      cancellation_policy_disclosure: text,
      uncategorized_text: text,
    })
    .optional(),
  submit: flag.default(true),
  metadata: metadata.optional(),
});

/** Which disputes wait for evidence, and what becomes of them by it. */
const reviewedBy: Partial<Record<string, Stripe.Dispute.Status>> = {
  warning_needs_response: 'warning_under_review',
  needs_response: 'under_review',
};

async function takeEvidence(books: Books, call: Call): Promise<object> {
  const { evidence = {}, submit } = read(EvidenceParams, call);
  const dispute = await books.find<Stripe.Dispute>(call.id, 'dispute');
  const reviewed = reviewedBy[dispute.status];
  if (reviewed === undefined)
    throw new SandboxError(400, 'dispute_closed', 'This dispute is already closed, or evidence was submitted for it.');
  const given = Object.fromEntries(Object.entries(evidence).filter(([, words]) => words !== undefined));
  if (Object.values(given).join('').length > mostEvidence)
    throw new SandboxError(400, 'parameter_invalid', 'The combined text of the evidence is too long.');
  const { submission_count } = dispute.evidence_details;
  const details = submit
    ? { submission_count: submission_count + 1, submission_method: 'manual' as const }
    : { submission_count };
  const kept = await books.keep({
    ...dispute,
    status: submit ? reviewed : dispute.status,
    evidence: Object.fromEntries(
      Object.entries({ ...dispute.evidence, ...given }).map(([field, words]) => [field, words === '' ? null : words]),
    ),
    evidence_details: { ...dispute.evidence_details, ...details, has_evidence: true },
  });
  await books.publish('charge.dispute.updated', kept);
  return kept;
}

export const disputeEndpoints: Endpoints = {
  'GET /v1/disputes': listDisputes,
  'GET /v1/disputes/:id': show('dispute'),
  'POST /v1/disputes/:id': takeEvidence,
};
