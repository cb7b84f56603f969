import type { Tx } from '#engines/database/work.ts';
import { noteAdminLook } from '#features/audit/admin-looks.ts';
import { operatorOf } from '#features/audit/operator.ts';
import type { AdminContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { changeStatus, sendAnswer } from '../answering.ts';
import {
  listOtherRequests,
  listSupportAnswers,
  listSupportReplies,
  lockSupportRequest,
} from '../conversation-store.ts';
import type { SupportCase, WholeSupportCase } from '../desk-contract.ts';
import { findSupportRequest, listWaitingRequests, type StoredSupportRequest } from '../store.ts';

const mostListed = 200;

/** Shows what is not closed, the oldest first. */
export async function showWaitingCases({ asSystem }: AdminContext): Promise<SupportCase[]> {
  return (await asSystem((tx) => listWaitingRequests(tx, mostListed))).map(caseOf);
}

/** Shows one request; looking opens it. @throws NOT_FOUND */
export async function showCase(context: AdminContext, number: string): Promise<WholeSupportCase> {
  const shown = await context.asSystem(async (tx) => {
    const found = await requireCase(tx, number);
    if (found.status === 'pending') await changeStatus(tx, found.number, 'open', operatorOf(context));
    return describeCase(tx, number);
  });
  await noteAdminLook(context, { action: 'support.looked_at', target: { type: 'support', id: number } });
  return shown;
}

/** Mails an answer and keeps it. @throws NOT_FOUND, CONFLICT when somebody has answered meanwhile, as by a second click */
export const answerCase = (
  context: AdminContext,
  number: string,
  { text, answersSeen, repliesSeen }: { text: string; answersSeen: number; repliesSeen: number },
): Promise<WholeSupportCase> =>
  context.asSystem(async (tx) => {
    const { engines, now } = context;
    const found = await requireCase(tx, number);
    if ((await listSupportAnswers(tx, found.number)).length !== answersSeen)
      throw refuse('CONFLICT', { message: 'Somebody has answered meanwhile. Reload to read it.' });
    await refuseUnread(tx, found.number, repliesSeen);
    await sendAnswer(tx, engines, found, { text, operator: operatorOf(context), now });
    return describeCase(tx, number);
  });

/** @throws CONFLICT when they have written once more than whoever decides has read */
async function refuseUnread(tx: Tx, number: number, repliesSeen: number): Promise<void> {
  if ((await listSupportReplies(tx, number)).length !== repliesSeen)
    throw refuse('CONFLICT', { message: 'They have written again meanwhile. Reload to read it.' });
}

/** Closes a request, answered or not. @throws NOT_FOUND, CONFLICT */
export const closeCase = (context: AdminContext, number: string, repliesSeen: number): Promise<WholeSupportCase> =>
  context.asSystem(async (tx) => {
    const found = await requireCase(tx, number);
    await refuseUnread(tx, found.number, repliesSeen);
    if (found.status !== 'closed') await changeStatus(tx, found.number, 'closed', operatorOf(context));
    return describeCase(tx, number);
  });

const caseOf = ({ message: _, number, ...rest }: StoredSupportRequest): SupportCase => ({
  ...rest,
  number: String(number),
});

async function requireCase(tx: Tx, number: string): Promise<StoredSupportRequest> {
  await lockSupportRequest(tx, Number(number));
  const found = await findSupportRequest(tx, Number(number));
  if (found === undefined) throw refuse('NOT_FOUND');
  return found;
}

async function describeCase(tx: Tx, number: string): Promise<WholeSupportCase> {
  const found = await requireCase(tx, number);
  return {
    ...caseOf(found),
    message: found.message,
    answers: await listSupportAnswers(tx, found.number),
    replies: await listSupportReplies(tx, found.number),
    others: (await listOtherRequests(tx, found)).map(caseOf),
  };
}
