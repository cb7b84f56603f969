import { createHash } from 'node:crypto';
import type { Engines } from '#engines/engines.ts';
import { settle, slowNetwork, takeMail } from '#features/accounts/limits.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { purchasesEmail } from '#features/notices/money-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { findOrderOfSession } from '#features/orders/orders-store.ts';
import { receiptCode } from '#features/orders/receipts.ts';
import { judgeAsking } from '#features/orders/refund-asking-rules.ts';
import { type OrderState, opens } from '#features/orders/rules.ts';
import { newToken } from '#kit/ids.ts';
import { minuteMs } from '#kit/time.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { proofMinutes } from '../rules.ts';
import type { Purchase } from '../sale-contract.ts';
import { openersCookie, readViewerCookie } from '../viewer-cookie.ts';
import { join, joinPayer } from './joining.ts';
import { findLetIn } from './my-access.ts';
import { keepAsker } from './my-access-store.ts';
import {
  findBrowser,
  findPayer,
  insertToken,
  keepProof,
  listPurchases,
  type PurchaseRow,
  spendToken,
} from './recovery-store.ts';
import { findSubscriber } from './subscriptions.ts';

/** Between two emails to one address. */
const resendSeconds = 30;

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** Whose purchases are looked for: an address that was typed, or that of the payment to whose page somebody came back. */
export interface Wanted {
  email?: string | undefined;
  sessionId?: string | undefined;
}

async function addressOf({ database, payments }: Engines, { email, sessionId = '' }: Wanted): Promise<string> {
  const found = email ?? (await findOrderOfSession(database, payments.realm, sessionId))?.email;
  return found?.trim().toLowerCase() ?? `${sessionId}@nobody.invalid`;
}

/**
 * Mails a link that proves an address to whoever has paid with it, asked for something, or proven it where they asked to be let in. The answer is the same for every address
 * and every payment, and so is the time that it takes.
 */
export async function mailLink(context: Context, wanted: Wanted): Promise<{ resendAfterMs: number }> {
  const beganMs = performance.now();
  const { engines, now, asSystem } = context;
  await slowNetwork(context, 'find_purchases');
  const email = await addressOf(engines, wanted);
  await takeMail(context, 'mail_purchases', email, resendSeconds);
  await asSystem(async (tx) => {
    const buyerId = (await findPayer(tx, email, engines.payments.realm)) ?? (await keepAsker(tx, email, now));
    if (buyerId === undefined) return;
    const token = newToken(43);
    const expiresAt = new Date(now.getTime() + proofMinutes * minuteMs);
    await insertToken(tx, { tokenHash: sha256(token), buyerId, now, expiresAt });
    // Behind the `#` no server and no referrer sees it.
    const link = `${engines.installation.publicUrl}/find-my-purchases#${token}`;
    await queueEmail(tx, engines.jobs, { to: email, now, ...purchasesEmail({ link, linkMinutes: proofMinutes }) });
  });
  await settle(beganMs);
  return { resendAfterMs: resendSeconds * 1000 };
}

/**
 * The mailed link comes back: this browser has proven the address. One that is nobody's yet becomes a device of the viewer who
 * paid last, so that the link itself opens in it; one that is somebody's stays so until it opens a purchase of another viewer.
 * @throws GONE
 */
export async function claimPurchases(context: Context, token: string, timeZone: string | undefined): Promise<void> {
  const { engines, now, asSystem } = context;
  await slowNetwork(context, 'claim_purchases');
  const cookie = openersCookie(context);
  const { secretHash } = cookie;
  const buyerId = await asSystem(async (tx) => {
    const proven = await spendToken(tx, sha256(token), now);
    if (proven !== undefined) await keepProof(tx, { secretHash, buyerId: proven, isJoined: false, now });
    return proven;
  });
  if (buyerId === undefined) throw refuse('GONE', { message: 'This link was used before or has expired.' });
  cookie.keep();
  const known = await findBrowser(engines.database, secretHash);
  if (known.viewerId !== undefined) return;
  const { database, payments } = engines;
  const rows = await listPurchases(database, secretHash, payments.realm);
  const bought = rows.find((row) => stateOf(row) === 'open')?.viewerId;
  const viewerId = bought ?? (await findSubscriber(context, secretHash)) ?? (await findLetIn(context, secretHash));
  if (viewerId != null) await join(context, { secretHash, viewerId, buyerId, timeZone });
}

/**
 * Returns where a purchase opens. It belongs to the viewer who paid, with their limits and their mark, so another browser becomes one
 * more device of that viewer. Viewers are never merged: each keeps the codewords that were committed for them.
 * @throws NOT_FOUND for whatever this browser may not open
 */
export async function openPurchase(
  context: Context,
  orderId: string,
  timeZone: string | undefined,
): Promise<{ viewPath: string }> {
  const { engines } = context;
  const secretHash = readViewerCookie(context);
  if (secretHash === undefined) throw refuse('NOT_FOUND');
  const rows = await listPurchases(engines.database, secretHash, engines.payments.realm);
  const row = rows.find((one) => one.orderId === orderId);
  if (row === undefined || row.viewerId === null || stateOf(row) !== 'open') throw refuse('NOT_FOUND');
  if (!row.isOwn) await joinPayer(context, { secretHash, viewerId: row.viewerId, timeZone });
  return { viewPath: `/view/${row.slug}` };
}

/** What was paid for in this browser, or with the address that it has proven. */
export async function readPurchases(context: Context): Promise<{ isProven: boolean; rows: Purchase[] }> {
  const { engines } = context;
  const now = moneyNow(engines);
  const secretHash = readViewerCookie(context);
  if (secretHash === undefined) return { isProven: false, rows: [] };
  const { buyerId } = await findBrowser(engines.database, secretHash);
  const rows = await listPurchases(engines.database, secretHash, engines.payments.realm);
  return {
    isProven: buyerId !== undefined,
    rows: rows.map((row) => {
      const { orderId, kind, creatorName, at, amountCents, refundedCents, currency, hasReceipt } = row;
      const receiptPath = hasReceipt ? `/receipt/${receiptCode(engines, orderId)}` : null;
      const state = stateOf(row);
      const asking = judgeAsking({ ...row, paidAt: row.at }, now);
      return { orderId, kind, creatorName, at, amountCents, refundedCents, currency, state, receiptPath, asking };
    }),
  };
}

const returned: readonly OrderState[] = ['refunded', 'charged_back'];

/** What went back is said before what the creator has ended, which is why it went back. */
function stateOf({ state, isAlive, isOnPage, viewerId, slug }: PurchaseRow): Purchase['state'] {
  if (returned.includes(state)) return 'returned';
  if (state === 'disputed') return 'on_hold';
  if (isOnPage) return 'sent';
  return opens(state) && isAlive && viewerId !== null && slug !== null ? 'open' : 'ended';
}
