import { formatCount } from '#kit/text.ts';
import type { Calls } from '../functions-contract.ts';

export type Kept = 'all' | 'called' | 'errors' | 'paused';
export const keptWords: readonly { value: Kept; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'called', label: 'Called today' },
  { value: 'errors', label: 'With errors' },
  { value: 'paused', label: 'Paused' },
];

export type Order = 'name' | 'slowest' | 'calls';
export const orderWords: readonly { value: Order; label: string }[] = [
  { value: 'name', label: 'By name' },
  { value: 'slowest', label: 'Slowest first' },
  { value: 'calls', label: 'Most called first' },
];

/** What is looked for in the lists of functions. */
export interface FunctionSearch {
  /** In small letters. */
  text: string;
  kept: Kept;
  order: Order;
}

interface Measured {
  hour: Calls;
  day: Calls;
}

/** Returns those that are looked for, in their order. @param wordsOf what is searched in */
export function arrange<Row extends Measured>(
  rows: readonly Row[],
  { text, kept, order }: FunctionSearch,
  wordsOf: (row: Row) => string,
  isPaused: (row: Row) => boolean = () => false,
): Row[] {
  const isKept = (row: Row) =>
    kept === 'all' ||
    (kept === 'called' && row.day.calls > 0) ||
    (kept === 'errors' && row.day.errors > 0) ||
    (kept === 'paused' && isPaused(row));
  const found = rows.filter((row) => isKept(row) && wordsOf(row).toLowerCase().includes(text));
  if (order === 'name') return found;
  const weightOf = ({ day }: Row) => (order === 'slowest' ? (day.p95Ms ?? -1) : day.calls);
  return [...found].sort((one, other) => weightOf(other) - weightOf(one));
}

/** Returns a duration as people read it. */
export const formatMs = (ms: number): string =>
  ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;

const describeTime = (when: string, { calls, errors, p50Ms, p95Ms }: Calls): string => {
  if (calls === 0) return `No call in ${when}`;
  const took = p50Ms === null || p95Ms === null ? '' : `, ${formatMs(p50Ms)} (95 %: ${formatMs(p95Ms)})`;
  const failed = errors === 0 ? '' : `, ${formatCount(errors, 'error')}`;
  return `${formatCount(calls, 'call')} in ${when}${failed}${took}`;
};

/** Returns how often something was called and how long it took, in two lines. */
export const describeCalls = ({ hour, day }: Measured): string =>
  day.calls === 0 ? 'Not called in 24 hours' : `${describeTime('an hour', hour)} · ${describeTime('24 hours', day)}`;
