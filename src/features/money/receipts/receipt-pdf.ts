import { PdfLayout } from '#engines/pdf/pdf-layout.ts';
import { describeSold } from '#features/orders/sold-words.ts';
import { formatMoney } from '#kit/text.ts';
import { formatUtc } from '#kit/time.ts';
import type { Receipt } from '../contract.ts';
import { describeAsking, describeRefunded } from './receipt-words.ts';

/** The receipt as its page tells it, to be kept or printed. */
export async function writeReceiptPdf(receipt: Receipt, now: Date): Promise<Buffer> {
  const { kind, number, at, creatorName, amountCents, refundedCents, currency, email, asking, terms } = receipt;
  const { isSandbox, statementDescriptor } = receipt;
  const format = (cents: number) => `${formatMoney(cents, currency.toUpperCase())} ${currency.toUpperCase()}`;
  const title = `Receipt no. ${number}`;
  const pdf = await PdfLayout.open(title, now.toISOString());
  pdf.write(title, 'title');
  pdf.write(format(amountCents), 'lead');
  if (isSandbox) pdf.write('This was a test payment: no real money was taken.', 'warning');
  pdf.list([
    ['For', describeSold(kind, creatorName)],
    ['Paid', formatUtc(at)],
    ...(refundedCents > 0 ? [['Refunded', format(refundedCents)] as const] : []),
    ...(email === null ? [] : [['Email', email] as const]),
    ['Card statement', statementDescriptor],
  ]);
  for (const what of [describeRefunded(receipt), describeAsking[asking]])
    if (what !== undefined) pdf.write(what, 'note');
  pdf.write(terms, 'note');
  return pdf.close(`PrivateFans · ${title}`);
}
