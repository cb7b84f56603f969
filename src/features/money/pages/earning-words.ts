import { nameSold } from '#features/orders/sold-words.ts';
import { isolate } from '#kit/text.ts';
import type { EarningRow } from '../contract.ts';
import { feeBorneMark, reportedMark } from '../earning-marks.ts';

/** What a bank has taken back is no refund. */
const isAtBank = ({ state }: EarningRow): boolean => state === 'disputed' || state === 'charged_back';

/** What a line is about. */
export function titleOf(row: EarningRow): string {
  if (row.kind === 'fee') return row.amountCents > 0 ? 'Platform fee returned' : 'Platform fee';
  if (row.kind === 'dispute_fee') return row.amountCents > 0 ? 'Dispute fee returned' : "Bank's dispute fee";
  if (row.kind === 'payout') return row.amountCents > 0 ? 'Payout that came back' : 'Payout';
  if (row.kind !== 'refund') return nameSold(row.kind, row.months);
  return isAtBank(row) ? 'Dispute' : 'Refund';
}

/** On which link; a month of a subscription may have been paid on none. */
function describeWhere({ kind, link, isOnPage, isSubscription, months }: EarningRow): string {
  if (kind === 'request') return '';
  if (isOnPage) return ' on your page';
  if (link !== null) return ` on ${isolate(link.name) || 'Untitled Link'}`;
  return isSubscription ? (months === 1 ? ' for a month' : ` for ${months} months`) : ' on a deleted link';
}

/** What whoever paid wrote, and the name under it. */
function describeWords({ message, signedBy }: EarningRow): string | undefined {
  const words = [
    ...(message === '' ? [] : [`“${isolate(message)}”`]),
    ...(signedBy === '' ? [] : [`– ${isolate(signedBy)}`]),
  ];
  return words.length === 0 ? undefined : words.join(' ');
}

/** Returns what became of it that needs words, else what whoever paid wrote. */
export function describeStory(row: EarningRow, isSale: boolean): string | undefined {
  if (row.kind === 'dispute_fee') return row.amountCents > 0 ? undefined : feeBorneMark;
  if (row.isReported && row.kind !== 'fee') return reportedMark;
  return isSale ? describeWords(row) : undefined;
}

/** What was paid, or what went back of it, and where. */
export function describePaid(row: EarningRow, gross: string): string {
  const { kind, amountCents } = row;
  if (kind === 'payout') return amountCents > 0 ? 'from your bank' : 'to your bank';
  if (kind === 'dispute_fee') return `for ${gross} paid${describeWhere(row)}`;
  const isBack = kind === 'refund' || (kind === 'fee' && amountCents > 0);
  if (!isBack) return `${kind === 'fee' ? `of ${gross}` : gross} paid${describeWhere(row)}`;
  return `${gross} ${isAtBank(row) ? 'taken back by the bank' : 'given back'}, paid${describeWhere(row)}`;
}
