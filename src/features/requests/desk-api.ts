import { implement } from '@orpc/server';
import { moneyNow } from '#features/books/money-clock.ts';
import { requestReference } from '#features/held/request-code.ts';
import { requireScope } from '#wire/answer.ts';
import type { AdminContext, Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { DecisionRefused, decideByStaff } from './deciding.ts';
import { adminRequestsContract, type StaffRequest, type StaffRequestCard, staffVerdicts } from './desk-contract.ts';
import { leftOf } from './moves/notifying.ts';
import { next } from './rules.ts';
import { listForStaff } from './staff-store.ts';
import { findRequest, listEvents, type RequestRow } from './store.ts';
import { findMoneyState, shownState } from './to-api.ts';

const answer = implement(adminRequestsContract).$context<Context>();
const finance = requireScope('finance');
const mostListed = 100;

function showForStaff(row: RequestRow): StaffRequest {
  const { id, title, creatorId, creatorName, agreedCents, offeredCents, currency, actUntil, sending, orderId } = row;
  const state = shownState(row);
  return {
    id,
    title,
    reference: requestReference(id),
    creatorId,
    creatorName,
    state,
    amountCents: agreedCents ?? offeredCents,
    leftCents: leftOf(row),
    currency,
    actUntil,
    isWaiting: state === 'problem' || state === 'reported',
    isReleaseRefused: sending === 'waits',
    orderId,
  };
}

/** Finds a request of the money that is taken here. @throws NOT_FOUND */
async function requireRequest({ engines }: AdminContext, id: string): Promise<RequestRow> {
  const { realm } = engines.payments;
  const row = await findRequest(engines.database, id);
  if (row?.provider !== realm.provider || row.livemode !== realm.livemode) throw refuse('NOT_FOUND');
  return row;
}

async function showCard(context: AdminContext, id: string): Promise<StaffRequestCard> {
  const { engines } = context;
  const row = await requireRequest(context, id);
  const facts = { ...row, ...findMoneyState(row), isRefused: row.sending === 'waits' };
  const { brief, kind, quantity, lengthMinutes, wantedBy, offeredCents, agreedCents, currency, dueAt, dueDays } = row;
  return {
    ...showForStaff(row),
    asked: { brief, kind, quantity, lengthMinutes, wantedBy, offeredCents, agreedCents, currency, dueAt, dueDays },
    events: await listEvents(engines.database, id),
    verdicts: staffVerdicts.filter((verdict) => next(facts, { by: 'staff', do: verdict }, moneyNow(engines)).ok),
  };
}

type Decision = {
  requestId: string;
  verdict: (typeof staffVerdicts)[number];
  amountCents?: number | undefined;
  note: string;
};

/** @throws NOT_FOUND, INVALID, CONFLICT with what to do */
async function decide(context: AdminContext, { requestId: id, verdict, amountCents, note }: Decision) {
  const { engines, admin, requestId } = context;
  const known = await requireRequest(context, id);
  const partCents = verdict === 'refund' && amountCents !== leftOf(known) ? amountCents : undefined;
  if (partCents !== undefined && partCents > leftOf(known))
    throw refuse('CONFLICT', { message: 'That is more than is held.' });
  const actor = { type: 'admin', id: admin.userId } as const;
  try {
    await decideByStaff(engines, known, { verdict, partCents, note, actor, requestId });
  } catch (error) {
    if (error instanceof DecisionRefused) throw refuse('CONFLICT', { message: error.message });
    throw error;
  }
  return showCard(context, id);
}

/** Custom requests for those who see to money. */
export const adminRequestsApi = answer.router({
  list: answer.list.use(finance).handler(async ({ context: { asSystem, engines } }) => {
    const rows = await asSystem((tx) => listForStaff(tx, engines.payments.realm, moneyNow(engines), mostListed));
    return { requests: rows.map(showForStaff) };
  }),
  show: answer.show.use(finance).handler(({ context, input }) => showCard(context, input.requestId)),
  decide: answer.decide.use(finance).handler(({ context, input }) => decide(context, input)),
});
