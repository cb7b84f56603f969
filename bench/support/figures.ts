import { appendFileSync, mkdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';

/** A bound of the targets' table. */
export interface Bound {
  gate: number;
  goal: number;
  /** Which way is good. */
  better: 'more' | 'less';
  /** What is held against it. */
  of: 'value' | 'ratio';
  /**
   * Only ratios, bytes, counts, and times on the emulated line set the exit status; other times and CPU-seconds depend on the
   * machine and are printed.
   */
  sets: 'exit' | 'print';
}

/** One measurement: a row of the table. `figure` is the target's id, such as `P14b`, where it has one. */
export interface Figure {
  part: string;
  figure: string;
  what: string;
  unit: string;
  /** Median over the rounds; undefined when it could not be measured: `note` then says why. */
  ours: number | undefined;
  comparator?: { name: string; value: number | undefined };
  bound?: Bound;
  note?: string;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/**
 * Returns a quantile, interpolated linearly; NaN without values.
 * @param share 0 to 1, such as 0.95
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  if (sorted.length === 0) return Number.NaN;
  const at = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(at)] ?? Number.NaN, sorted[Math.ceil(at)] ?? Number.NaN];
  return low + (high - low) * (at - Math.floor(at));
}

const ratioOf = ({ ours, comparator }: Figure) =>
  ours === undefined || comparator?.value === undefined ? undefined : ours / comparator.value;

function meetsLimit(value: number | undefined, limit: number, { better }: Bound): boolean | null {
  if (value === undefined || Number.isNaN(value)) return null;
  return better === 'more' ? value >= limit : value <= limit;
}

/** Returns whether a figure meets its gate and its goal; null without a bound or a measurement. */
function verdictOf(figure: Figure): { gate: boolean | null; goal: boolean | null } {
  const { bound, ours } = figure;
  if (bound === undefined) return { gate: null, goal: null };
  const value = bound.of === 'value' ? ours : ratioOf(figure);
  return { gate: meetsLimit(value, bound.gate, bound), goal: meetsLimit(value, bound.goal, bound) };
}

const rounded = (value: number | undefined) => (value === undefined ? null : Number(value.toPrecision(4)));

/** Returns a figure as an object for the results file; `gateHeld` is null for a figure that cannot fail the run. */
export function toRecord(figure: Figure): object {
  const { part, unit, ours, comparator, bound, note } = figure;
  const { gate, goal } = verdictOf(figure);
  return {
    part,
    figure: figure.figure,
    what: figure.what,
    unit,
    ours: rounded(ours),
    comparator: comparator?.name ?? null,
    value: rounded(comparator?.value),
    ratio: rounded(ratioOf(figure)),
    gate: bound?.gate ?? null,
    goal: bound?.goal ?? null,
    gateHeld: bound?.sets === 'exit' ? gate : null,
    goalHeld: goal,
    load: rounded(loadavg()[0]),
    ...(note !== undefined && { note }),
  };
}

/** Returns whether a measured figure misses its gate and so fails the run. */
export const isMissed = (figure: Figure): boolean => figure.bound?.sets === 'exit' && verdictOf(figure).gate === false;

const formatNumber = (value: number | undefined) => {
  if (value === undefined || Number.isNaN(value)) return '–';
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
};

function boundText({ gate, goal, better, of }: Bound): string {
  const sign = better === 'more' ? '≥' : '≤';
  return `${sign} ${formatNumber(gate)} / ${formatNumber(goal)}${of === 'ratio' ? ' (ratio)' : ''}`;
}

function heldText(figure: Figure): string {
  const { gate, goal } = verdictOf(figure);
  if (gate === null) return '';
  const words = gate ? (goal ? 'goal' : 'gate') : 'missed';
  return figure.bound?.sets === 'print' ? `${words} (printed)` : words;
}

/** The table of all figures, as Markdown that also reads well in a terminal. */
export function tableOf(figures: readonly Figure[]): string {
  const head = ['id', 'what', 'unit', 'ours', 'beside it', 'ratio', 'gate / goal', 'held'];
  const rows = figures.map((figure) => [
    figure.figure,
    figure.what + (figure.note === undefined ? '' : ` – ${figure.note}`),
    figure.unit,
    formatNumber(figure.ours),
    figure.comparator ? `${figure.comparator.name}: ${formatNumber(figure.comparator.value)}` : '',
    formatNumber(ratioOf(figure)),
    figure.bound ? boundText(figure.bound) : '',
    heldText(figure),
  ]);
  const widths = head.map((word, n) => Math.max(word.length, ...rows.map((row) => row[n]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(' | ')} |`;
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n');
}

export const resultsFolder = path.resolve(import.meta.dirname, '../results');

/** Appends the records of a run to the day's JSONL file. @returns the path of the file */
export function appendResults(day: string, lines: readonly object[]): string {
  mkdirSync(resultsFolder, { recursive: true });
  const file = path.join(resultsFolder, `${day}.jsonl`);
  appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}
