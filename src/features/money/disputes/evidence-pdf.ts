import { Paper } from '#engines/pdf/pdf-layout.ts';
import { formatCount, formatMoney } from '#kit/text.ts';
import { nameSold } from '../sold-words.ts';
import type { EvidenceFacts } from './evidence-facts.ts';
import type { EvidenceRow } from './evidence-store.ts';
import { tellMoment, tellVisit } from './evidence-words.ts';

/** So many visits are read on paper by nobody; the JSON file has them all. */
const mostVisits = 500;

/** The same evidence as the bank gets, on pages for people. */
export async function writeEvidencePdf(row: EvidenceRow, facts: EvidenceFacts, now: Date): Promise<Buffer> {
  const title = `Evidence for dispute ${row.disputeId}`;
  const paper = await Paper.open(title, now.toISOString());
  paper.write(title, 'title');
  paper.write(`${nameSold(facts.kind)}, ${formatMoney(facts.amountCents, facts.currency.toUpperCase())}`, 'lead');
  paper.list([
    ['Order', row.orderId ?? 'gone'],
    ['Ordered', tellMoment(facts.orderedAt)],
    ['Paid', tellMoment(facts.paidAt)],
    ['Receipt', facts.receiptNumber === null ? 'none' : String(facts.receiptNumber)],
    ['Sold by', facts.creatorName],
    ['Email of the buyer', facts.email ?? 'unknown'],
    ['Reason of the dispute', row.reason],
    ['Disputed', tellMoment(row.openedAt.toISOString())],
    ['Answered until', row.dueBy === null ? 'no answer is taken' : tellMoment(row.dueBy.toISOString())],
  ]);
  const { fields } = row;
  if (fields !== null) {
    section(paper, 'What was sold', fields.product_description);
    section(paper, 'Terms shown before payment', fields.refund_policy_disclosure);
    section(paper, 'Cancellation', fields.cancellation_policy_disclosure);
    section(paper, 'What is known of the order', fields.uncategorized_text);
  }
  writeVisits(paper, facts);
  paper.write('All of this is from the records of this installation. Times are in UTC.', 'note');
  return paper.close(`PrivateFans · ${title}`);
}

function section(paper: Paper, heading: string, text: string): void {
  paper.write(heading, 'heading');
  for (const line of text.split('\n')) paper.write(line);
}

function writeVisits(paper: Paper, { isOnPage, visits }: EvidenceFacts): void {
  if (isOnPage) return;
  paper.write('Visits after payment', 'heading');
  if (visits.length === 0) paper.write('What was paid for has not been opened.');
  for (const visit of visits.slice(0, mostVisits)) paper.write(tellVisit(visit));
  const left = visits.length - mostVisits;
  if (left > 0) paper.write(`${formatCount(left, 'more visit')} in the JSON file.`, 'note');
}
