import { slowNetwork, takeMail } from '#features/accounts/limits.ts';
import { readRequestCode, requestCode, requestReference } from '#features/held/request-code.ts';
import { requestProofEmail } from '#features/notices/request-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { settleCheckout } from '#features/orders/asking.ts';
import { findOrderOfSession } from '#features/orders/orders-store.ts';
import { isEndedHere, opens } from '#features/orders/rules.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { claimProof, joinBuyer, makeProof, readViewerCookie, wordsOfEnded } from '#features/viewing/buyers.ts';
import { proofMinutes } from '#features/viewing/rules.ts';
import { maskEmail } from '#kit/text.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { isOwnRequest } from '../asking-store.ts';
import type { FollowedRequest, MyRequest, PaidRequest } from '../contract.ts';
import { move } from '../moves/moving.ts';
import { type PaymentParams, payRequest } from '../moves/paying.ts';
import type { ReportReason } from '../rules.ts';
import { findRequest, listEvents, listOfBrowser, type RequestRow } from '../store.ts';
import { showFollowed, showMine } from '../to-api.ts';

/** Between two emails about one request. */
const resendSeconds = 30;

/** @throws NOT_FOUND for a code that we did not give */
async function findByCode({ engines }: Context, code: string): Promise<RequestRow> {
  const id = readRequestCode(engines, code);
  const row = id === undefined ? undefined : await findRequest(engines.database, id);
  if (row === undefined) throw refuse('NOT_FOUND');
  return row;
}

const whoseIs = (context: Context, { id }: RequestRow) =>
  isOwnRequest(context.engines.database, id, readViewerCookie(context));

/** @throws NOT_FOUND for a browser that did not ask and has not proven the address */
async function findYours(context: Context, code: string): Promise<RequestRow & { isOwn: boolean }> {
  await slowNetwork(context, 'follow_request', 300);
  const row = await findByCode(context, code);
  const { isOwn, isProven } = await whoseIs(context, row);
  if (!isOwn && !isProven) throw refuse('NOT_FOUND');
  return { ...row, isOwn };
}

async function show(context: Context, row: RequestRow): Promise<FollowedRequest> {
  const { isOwn, isProven } = await whoseIs(context, row);
  const events = await listEvents(context.engines.database, row.id);
  const { 'money.statementDescriptor': statementDescriptor } = await settingsOf(context.engines);
  return showFollowed(context.engines, row, { isYours: isOwn || isProven, events, statementDescriptor });
}

/** A request, to read: whoever has its code was given it by us or by whoever asked. */
export async function followRequest(context: Context, code: string): Promise<FollowedRequest> {
  await slowNetwork(context, 'follow_request', 300);
  return show(context, await findByCode(context, code));
}

/** What this browser has asked for, or somebody with the address that it has proven. */
export async function listMine(context: Context): Promise<{ rows: MyRequest[] }> {
  const { engines } = context;
  const secretHash = readViewerCookie(context);
  if (secretHash === undefined) return { rows: [] };
  const rows = await listOfBrowser(engines.database, engines.payments.realm, secretHash);
  return { rows: rows.map((row) => showMine(engines, row)) };
}

/** Mails a link to the address that asked; it is told to nobody. @throws NOT_FOUND, RATE_LIMITED */
export async function mailProofLink(context: Context, code: string): Promise<void> {
  await slowNetwork(context, 'mail_request_link');
  const { engines, now, asSystem } = context;
  const { email, buyerId } = await findByCode(context, code);
  await takeMail(context, 'mail_request_link', email, resendSeconds);
  await asSystem(async (tx) => {
    const token = await makeProof(tx, buyerId, now);
    // Behind the `#` no server and no referrer sees it.
    const link = `${engines.installation.publicUrl}/request/${code}#${token}`;
    await queueEmail(tx, engines.jobs, { to: email, now, ...requestProofEmail({ link, linkMinutes: proofMinutes }) });
  });
}

/** The mailed link comes back: this browser has proven the address. @throws NOT_FOUND, GONE */
export async function claimRequest(
  context: Context,
  { code, token, timeZone }: { code: string; token: string; timeZone: string | undefined },
): Promise<void> {
  await slowNetwork(context, 'claim_request');
  const { viewerId } = await findByCode(context, code);
  if ((await claimProof(context, { token, viewerId, timeZone })) === undefined)
    throw refuse('GONE', { message: 'This link was used before or has expired.' });
}

export async function pay(context: Context, code: string, params: PaymentParams): Promise<{ url: string }> {
  return payRequest(context.engines, await findYours(context, code), params);
}

/** What whoever asked says to a quote or a delivery. @throws NOT_FOUND, VALIDATION, GONE, DISPUTED, CONFLICT */
export async function say(
  context: Context,
  { code, what, text }: { code: string; what: 'withdraw' | 'accept' | 'revise' | 'complain'; text: string },
): Promise<FollowedRequest> {
  const { id } = await findYours(context, code);
  if (text === '' && (what === 'revise' || what === 'complain'))
    throw refuse('VALIDATION', { field: 'text', message: 'Say what is wrong' });
  const row = await move(context.engines, { id, isMine: () => true }, { by: 'buyer', do: what }, { text });
  return show(context, row);
}

/** What is wrong with what was released. @throws NOT_FOUND, GONE, DISPUTED, CONFLICT */
export async function report(
  context: Context,
  { code, reason, text }: { code: string; reason: ReportReason; text: string },
): Promise<FollowedRequest> {
  const { id } = await findYours(context, code);
  const row = await move(context.engines, { id, isMine: () => true }, { by: 'buyer', do: 'report', reason }, { text });
  return show(context, row);
}

/** Where what was delivered opens, for one more browser of whoever asked as well. @throws NOT_FOUND */
export async function openDelivery(
  context: Context,
  code: string,
  timeZone: string | undefined,
): Promise<{ viewPath: string }> {
  const { isOwn, viewerId, deliverySlug, isDeliveryOpen } = await findYours(context, code);
  const secretHash = readViewerCookie(context);
  if (deliverySlug === null || !isDeliveryOpen || viewerId === null || secretHash === undefined)
    throw refuse('NOT_FOUND');
  if (!isOwn) await joinBuyer(context, { secretHash, viewerId, timeZone });
  return { viewPath: `/view/${deliverySlug}` };
}

/** What became of the payment of a request. It is asked for now, so it is right before any event has come and without one. */
export async function readPaid(context: Context, sessionId: string): Promise<PaidRequest> {
  const { engines } = context;
  const { database, payments } = engines;
  const { 'money.statementDescriptor': statementDescriptor } = await settingsOf(engines);
  const money = { isSandbox: engines.sandbox !== undefined, statementDescriptor };
  const known = await findOrderOfSession(database, payments.realm, sessionId);
  if (known === undefined || known.requestId === null) return { state: 'unknown', ...money };
  const isOpen = known.state === 'pending' || isEndedHere(known.state);
  const order = isOpen ? ((await settleCheckout(engines, sessionId)) ?? known) : known;
  const row = await findRequest(database, known.requestId);
  if (row === undefined) return { state: 'unknown', ...money };
  const { isOwn, isProven } = await whoseIs(context, row);
  const { amountCents, currency, creatorName } = order;
  return {
    state: stateOf(order, row),
    amountCents,
    currency,
    creatorName,
    dueAt: row.dueAt,
    ...money,
    reference: requestReference(row.id),
    email: maskEmail(row.email),
    ...(order.endedWhy !== null && { ended: wordsOfEnded(order, order.endedWhy, '') }),
    ...((isOwn || isProven) && { path: `/request/${requestCode(engines, row.id)}` }),
  };
}

/** A payment that nobody waited for any more is on its way back before the provider says so. */
function stateOf(
  { id, state }: { id: string; state: Parameters<typeof opens>[0] },
  { orderId, state: stage }: Pick<RequestRow, 'orderId' | 'state'>,
): PaidRequest['state'] {
  if (state === 'pending') return 'processing';
  if (state === 'disputed') return state;
  if (opens(state)) {
    if (orderId !== id || stage === 'refunded') return 'returned';
    return stage === 'paid' ? 'paid' : 'done';
  }
  return state === 'expired' || isEndedHere(state) ? 'failed' : 'returned';
}
