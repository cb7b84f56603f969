import { PdfLayout } from '#engines/pdf/pdf-layout.ts';
import { nameSold } from '#features/orders/sold-words.ts';
import { formatCount, formatMoney } from '#kit/text.ts';
import { formatUtc } from '#kit/time.ts';
import type { EvidenceFacts } from './evidence-facts.ts';
import type { EvidenceRow } from './evidence-store.ts';
import { describeVisit } from './evidence-words.ts';

/** So many visits are read on paper by nobody; the JSON file has them all. */
const mostVisits = 500;

/** The same evidence as the bank gets, on pages for people. */
export async function writeEvidencePdf(row: EvidenceRow, facts: EvidenceFacts, now: Date): Promise<Buffer> {
  const title = `Evidence for dispute ${row.disputeId}`;
  const pdf = await PdfLayout.open(title, now.toISOString());
  pdf.write(title, 'title');
  pdf.write(`${nameSold(facts.kind)}, ${formatMoney(facts.amountCents, facts.currency.toUpperCase())}`, 'lead');
  pdf.list([
    ['Order', row.orderId ?? 'gone'],
    ['Ordered', facts.orderedAt === null ? 'unknown' : formatUtc(facts.orderedAt)],
    ['Paid', formatUtc(facts.paidAt)],
    ['Receipt', facts.receiptNumber === null ? 'none' : String(facts.receiptNumber)],
    ['Sold by', facts.creatorName],
    ['Email of the buyer', facts.email ?? 'unknown'],
    ['Reason of the dispute', row.reason],
    ['Disputed', formatUtc(row.openedAt)],
    ['Answered until', row.dueBy === null ? 'no answer is taken' : formatUtc(row.dueBy)],
  ]);
  const { fields } = row;
  if (fields !== null) {
    section(pdf, 'What was sold', fields.product_description);
    section(pdf, 'Terms shown before payment', fields.refund_policy_disclosure);
    section(pdf, 'Cancellation', fields.cancellation_policy_disclosure);
    section(pdf, 'What is known of the order', fields.uncategorized_text);
  }
  writeVisits(pdf, facts);
  pdf.write('All of this is from the records of this installation. Times are in UTC.', 'note');
  return pdf.close(`PrivateFans · ${title}`);
}

function section(pdf: PdfLayout, heading: string, text: string | undefined): void {
  if (text === undefined) return;
  pdf.write(heading, 'heading');
  for (const line of text.split('\n')) pdf.write(line);
}

function writeVisits(pdf: PdfLayout, { isOnPage, visits }: EvidenceFacts): void {
  if (isOnPage) return;
  pdf.write('Visits after payment', 'heading');
  if (visits.length === 0) pdf.write('What was paid for has not been opened.');
  for (const visit of visits.slice(0, mostVisits)) pdf.write(describeVisit(visit));
  const left = visits.length - mostVisits;
  if (left > 0) pdf.write(`${formatCount(left, 'more visit')} in the JSON file.`, 'note');
}
