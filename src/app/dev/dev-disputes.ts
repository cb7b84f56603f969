import type { Engines } from '#engines/engines.ts';
import type { Dispute } from '#engines/payments/disputes.ts';
import { findOrder } from '#features/orders/orders-store.ts';
import { isUuid } from '#kit/ids.ts';
import { escapeHtml, formatMoney } from '#kit/text.ts';

/** What the buttons of the page send. */
interface DisputeInput {
  order?: string;
  /** What the bank does about an order: takes the money, or only asks. */
  kind?: string;
  dispute?: string;
  decision?: string;
}

/** What a button has done, to be said on the page that it leads back to. */
const doneWords = {
  disputed: 'The payment is disputed. The app has been told, as it would be by the provider.',
  inquired: 'The bank has asked about the payment; no money has moved. The app has been told.',
  chargeback: 'The inquiry has become a chargeback. The app has been told.',
  won: 'The bank has decided for the creator. The app has been told.',
  lost: 'The bank has decided for the buyer. The app has been told.',
} as const;
type Done = keyof typeof doneWords;

/** The newest disputes of the sandbox, with what the bank may decide. */
export async function showDevDisputes({ payments }: Engines, done = ''): Promise<string> {
  const { value: newest } = await payments.disputes(undefined)[Symbol.asyncIterator]().next();
  const rows = ((newest as readonly Dispute[] | undefined) ?? []).map(showOne);
  const said = Object.hasOwn(doneWords, done) ? `<p role="status">${doneWords[done as Done]}</p>` : '';
  return `${said}<p>A payment with the card 4000 0000 0000 0259 is disputed at once, one with 4000 0000 0000 5423 is reported by its bank as possible fraud a minute later. Any other paid order can be, by its number:</p>
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

/** Somebody goes to their bank, or it decides. @returns what was done; undefined for what cannot be */
export async function disputeInSandbox(engines: Engines, params: DisputeInput): Promise<Done | undefined> {
  const { sandbox } = engines;
  if (sandbox === undefined) return undefined;
  const { dispute, decision } = params;
  try {
    if (dispute === undefined) return await askBank(engines, sandbox, params);
    if (decision === 'chargeback') {
      await sandbox.escalate(dispute);
      return 'chargeback';
    }
    const isWon = decision === 'won';
    const isDecided = await sandbox.decideDispute(dispute, isWon);
    return isDecided ? (isWon ? 'won' : 'lost') : undefined;
  } catch {
    // The sandbox says no to what is not there or not paid.
    return undefined;
  }
}

/** Somebody goes to their bank with an order. */
async function askBank(
  { database, payments }: Engines,
  sandbox: NonNullable<Engines['sandbox']>,
  { order: orderId = '', kind }: DisputeInput,
): Promise<Done | undefined> {
  const order = isUuid(orderId) ? await findOrder(database, orderId) : undefined;
  if (order?.sessionId == null) return undefined;
  const { chargeId } = await payments.findCheckout(order.sessionId);
  if (chargeId === undefined) return undefined;
  if (kind === 'inquiry') return (await sandbox.inquire(chargeId)) === undefined ? undefined : 'inquired';
  return (await sandbox.dispute(chargeId)) === undefined ? undefined : 'disputed';
}
