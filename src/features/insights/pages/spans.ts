import type { Days } from '../contract.ts';

/** Periods that a page can show. */
export const spans: { value: `${Days}`; label: string }[] = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '365 days' },
];

/** A period as a number. */
export const readDays = (span: `${Days}`): Days => Number(span) as Days;
