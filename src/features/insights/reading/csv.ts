import type { Visit } from '../contract.ts';

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
