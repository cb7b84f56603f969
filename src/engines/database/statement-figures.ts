import { bucketCount, bucketOf, quantileOf } from '#kit/latency-buckets.ts';

/** How often a statement was sent, and how long whoever sent it has waited; nothing of what was asked for by it. */
export interface StatementFigure {
  /** The name that it is prepared under, or its text, where values are only numbered. */
  name: string;
  calls: number;
  totalMs: number;
  slowestMs: number;
  /** Of 100 calls 95 took no longer, up to a fifth too long. */
  p95Ms: number;
}

/** Hears of a statement that was answered or has failed. @param sentMs by `performance.now()` */
export type NoteStatement = (statement: string, sentMs: number) => void;

interface Counted extends Omit<StatementFigure, 'p95Ms'> {
  buckets: number[];
}

/** More than are written in the sources: what grows by itself must not take the process along. */
const mostNames = 1000;
/** Texts differ by the number of their values as well. */
const mostTexts = 4000;
const longestName = 400;
/** Under which all others are counted once there are too many. */
const others = 'all others';

/** Several numbered values in a row, and several rows of them, are as good as one. */
const nameOf = (statement: string): string =>
  statement
    .replaceAll(/\(\$\d+(?:, \$\d+)*\)(?:, \(\$\d+(?:, \$\d+)*\))*/g, '($…)')
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, longestName);

const newCounted = (name: string): Counted => ({
  name,
  calls: 0,
  totalMs: 0,
  slowestMs: 0,
  buckets: Array.from({ length: bucketCount }, () => 0),
});

/** Counts the statements of this process in memory. */
export function openStatementFigures(): { note: NoteStatement; list(): StatementFigure[] } {
  const byText = new Map<string, Counted>();
  const byName = new Map<string, Counted>();
  const counterOf = (statement: string): Counted => {
    const known = byText.get(statement);
    if (known !== undefined) return known;
    const isFull = byText.size >= mostTexts;
    const own = isFull ? others : nameOf(statement);
    const name = byName.has(own) || byName.size < mostNames ? own : others;
    const counted = byName.get(name) ?? newCounted(name);
    byName.set(name, counted);
    if (!isFull) byText.set(statement, counted);
    return counted;
  };
  return {
    note(statement, sentMs) {
      const ms = performance.now() - sentMs;
      const counted = counterOf(statement);
      counted.calls += 1;
      counted.totalMs += ms;
      if (ms > counted.slowestMs) counted.slowestMs = ms;
      const bucket = bucketOf(ms);
      counted.buckets[bucket] = (counted.buckets[bucket] ?? 0) + 1;
    },
    list: () =>
      [...byName.values()].map(({ buckets, ...figure }) => ({
        ...figure,
        p95Ms: Math.min(figure.slowestMs, quantileOf(buckets, 0.95) ?? 0),
      })),
  };
}
