import type { Visit } from './contract.ts';

/** A cell as every table program reads it; one that begins like a formula is text, whoever chose the name in it. */
function cell(value: string | number): string {
  const text = String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Spreadsheets take a file that does not begin with it for one in the letters of their own country. */
export const byteOrderMark = '\uFEFF';

/** One line of a table (RFC 4180). */
export const writeLine = (cells: readonly (string | number)[]): string => `${cells.map(cell).join(',')}\r\n`;

/** What the columns of the visits are called. */
export const visitColumns = [
  'Started (UTC)',
  'Ended (UTC)',
  'Viewer',
  'Link',
  'For',
  'Country',
  'Country estimated',
  'Device',
  'Browser',
  'App',
  'Seconds watched',
  'Items seen',
  'Counted as a view',
  'Not counted because',
  'Ended by',
] as const;

const yesOrNo = (is: boolean) => (is ? 'yes' : 'no');

/** One visit as a line of the table. */
export const cellsOf = (visit: Visit): (string | number)[] => [
  visit.startedAt.toISOString(),
  visit.endedAt?.toISOString() ?? '',
  visit.viewerName,
  visit.linkName,
  visit.recipientName ?? '',
  visit.country ?? '',
  visit.country === null ? '' : yesOrNo(visit.isCountryEstimated),
  visit.device ?? '',
  visit.browser ?? '',
  visit.app ?? '',
  Math.round(visit.watchMs / 1000),
  visit.itemsSeen,
  yesOrNo(visit.isCounted),
  visit.notCounted ?? '',
  visit.endReason ?? '',
];
