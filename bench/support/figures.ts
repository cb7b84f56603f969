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

/** One line of the table. `figure` is the id of the target where there is one. */
export interface Figure {
  part: string;
  figure: string;
  what: string;
  unit: string;
  /** Medians over the rounds; undefined when it could not be had, `note` then says why. */
  ours: number | undefined;
  comparator?: { name: string; value: number | undefined };
  bound?: Bound;
  note?: string;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** @param share 0 to 1 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  if (sorted.length === 0) return Number.NaN;
  const at = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(at)] ?? Number.NaN, sorted[Math.ceil(at)] ?? Number.NaN];
  return low + (high - low) * (at - Math.floor(at));
}

const ratioOf = ({ ours, comparator }: Figure) =>
  ours === undefined || comparator?.value === undefined ? undefined : ours / comparator.value;

function holds(value: number | undefined, limit: number, { better }: Bound): boolean | null {
  if (value === undefined || Number.isNaN(value)) return null;
  return better === 'more' ? value >= limit : value <= limit;
}

/** Returns whether a figure holds its gate and its goal; null where there is none or nothing was measured. */
function verdictOf(figure: Figure): { gate: boolean | null; goal: boolean | null } {
  const { bound, ours } = figure;
  if (bound === undefined) return { gate: null, goal: null };
  const value = bound.of === 'value' ? ours : ratioOf(figure);
  return { gate: holds(value, bound.gate, bound), goal: holds(value, bound.goal, bound) };
}

const rounded = (value: number | undefined) => (value === undefined ? null : Number(value.toPrecision(4)));

/** A figure as one line of JSON; `gateHeld` is null where the figure does not set the exit status. */
export function lineOf(figure: Figure): object {
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

/** Returns whether a figure was measured and misses a gate that counts. */
export const isMissed = (figure: Figure): boolean => figure.bound?.sets === 'exit' && verdictOf(figure).gate === false;

const shown = (value: number | undefined) => {
  if (value === undefined || Number.isNaN(value)) return '–';
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
};

function boundText({ gate, goal, better, of }: Bound): string {
  const sign = better === 'more' ? '≥' : '≤';
  return `${sign} ${shown(gate)} / ${shown(goal)}${of === 'ratio' ? ' (ratio)' : ''}`;
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
    shown(figure.ours),
    figure.comparator ? `${figure.comparator.name}: ${shown(figure.comparator.value)}` : '',
    shown(ratioOf(figure)),
    figure.bound ? boundText(figure.bound) : '',
    heldText(figure),
  ]);
  const widths = head.map((word, n) => Math.max(word.length, ...rows.map((row) => row[n]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(' | ')} |`;
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n');
}

export const results = path.resolve(import.meta.dirname, '../results');

/** Keeps the lines of one run in a file of that day. */
export function keepLines(day: string, lines: readonly object[]): string {
  mkdirSync(results, { recursive: true });
  const file = path.join(results, `${day}.jsonl`);
  appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}
