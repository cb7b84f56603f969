import type { Engines } from '#engines/engines.ts';
import type { Dispute } from '#engines/payments/disputes.ts';
import { findOrder } from '#features/money/orders-store.ts';
import { isUuid } from '#kit/ids.ts';
import { escapeHtml, formatMoney } from '#kit/text.ts';

/** What the buttons of the page send. */
interface Wish {
  order?: string;
  /** What the bank does about an order: takes the money, or only asks. */
  kind?: string;
  dispute?: string;
  decision?: string;
}

/** The newest disputes of the sandbox, with what the bank may decide. */
export async function showDevDisputes({ payments }: Engines): Promise<string> {
  const { value: newest } = await payments.disputes(undefined)[Symbol.asyncIterator]().next();
  const rows = ((newest as readonly Dispute[] | undefined) ?? []).map(showOne);
  return `<p>A payment with the card 4000 0000 0000 0259 is disputed at once, one with 4000 0000 0000 5423 is reported by its bank as possible fraud a minute later. Any other paid order can be, by its number:</p>
<form method="post"><label>Order <input name="order" required></label> <button>Dispute it</button> <button name="kind" value="inquiry">The bank only asks</button></form>${rows.join('') || '<p>No disputes yet.</p>'}`;
}

function showOne({ disputeId, status, amountCents, currency, standing, dueBy }: Dispute): string {
  const words = standing === 'warning' ? ['chargeback'] : ['won', 'lost'];
  const buttons = words.map((word) => `<button name="decision" value="${word}">${word}</button>`).join(' ');
  const id = escapeHtml(disputeId);
  const form = `<form method="post"><input type="hidden" name="dispute" value="${id}">The bank decides: ${buttons}</form>`;
  const due = dueBy === undefined ? '' : ` · answered until ${dueBy.toISOString()}`;
  return `<article><strong>${formatMoney(amountCents, currency.toUpperCase())}</strong><br><small>${id} · ${escapeHtml(status)}${due}</small>${standing === 'open' || standing === 'warning' ? form : ''}</article>`;
}

/** Somebody goes to their bank, or it decides. @returns false for what cannot be */
export async function disputeInSandbox({ database, payments, sandbox }: Engines, wish: Wish): Promise<boolean> {
  const { order: orderId = '', kind, dispute, decision } = wish;
  try {
    if (dispute !== undefined && decision === 'chargeback') {
      await sandbox?.escalate(dispute);
      return sandbox !== undefined;
    }
    if (dispute !== undefined) return (await sandbox?.decideDispute(dispute, decision === 'won')) === true;
    const order = isUuid(orderId) ? await findOrder(database, orderId) : undefined;
    if (order?.sessionId == null) return false;
    const { chargeId } = await payments.findCheckout(order.sessionId);
    if (chargeId === undefined) return false;
    return (await (kind === 'inquiry' ? sandbox?.inquire(chargeId) : sandbox?.dispute(chargeId))) !== undefined;
  } catch {
    // The sandbox says no to what is not there or not paid.
    return false;
  }
}
