import { readFileSync, writeFileSync } from 'node:fs';

/** How many of the changes made to one file were noticed. */
export interface Score {
  file: string;
  noticed: number;
  made: number;
  /** Changes that no test came by at all; a part of those that were not noticed. */
  unreached: number;
}

interface Mutant {
  status: string;
  testsCompleted?: number;
}

interface Report {
  files: Record<string, { mutants: Mutant[] }>;
}

/**
 * Counts a report of Stryker by file; what it left out on purpose, or what does not run, counts for nothing.
 * @throws where a change is said to have survived tests of which none was run, as when their process died
 */
export function readScores({ files }: Report): Score[] {
  return Object.entries(files)
    .map(([file, { mutants }]) => {
      if (mutants.some(wasNotTried))
        throw new Error(`The tests of ${file} were not run to their end. Try it again when the machine has more time.`);
      const count = (...statuses: string[]) => mutants.filter(({ status }) => statuses.includes(status)).length;
      const noticed = count('Killed', 'Timeout');
      const unreached = count('NoCoverage');
      return { file, noticed, made: noticed + unreached + count('Survived'), unreached };
    })
    .filter(({ made }) => made > 0);
}

/** Its tests could not be run, or their process died. */
const wasNotTried = ({ status, testsCompleted }: Mutant): boolean =>
  status === 'RuntimeError' || (status === 'Survived' && testsCompleted === 0);

/** Returns whether fewer than nine in ten were noticed. */
export const isWeak = ({ noticed, made }: Score): boolean => noticed < made * 0.9;

/** Writes scores into the table of a document, beside those of other files that stand there. */
export function noteScores(document: string, scores: readonly Score[]): void {
  writeFileSync(document, withScores(readFileSync(document, 'utf8'), scores));
}

const isRow = (line: string) => line.startsWith('| `');
const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim());

/** The text of a document with these scores in its table; its last row sums up all. */
export function withScores(text: string, scores: readonly Score[]): string {
  const lines = text.split('\n');
  const rows = new Map(lines.filter(isRow).map((line) => [cellsOf(line)[1], line]));
  for (const score of scores) rows.set(`\`${score.file}\``, rowOf(`\`${score.file}\``, score));
  const all = [...rows.values()].sort();
  const sum = all.map(readRow).reduce((total, row) => ({
    noticed: total.noticed + row.noticed,
    made: total.made + row.made,
    unreached: total.unreached + row.unreached,
  }));
  const head = lines.findIndex((line) => line.startsWith('| ---'));
  const rest = lines.slice(head + 1).filter((line) => !line.startsWith('|'));
  return [...lines.slice(0, head + 1), ...all, rowOf('all', sum), ...rest].join('\n');
}

function readRow(line: string): Omit<Score, 'file'> {
  const [, , made, noticed, unreached] = cellsOf(line).map(Number);
  return { noticed: noticed ?? 0, made: made ?? 0, unreached: unreached ?? 0 };
}

const rowOf = (name: string, { noticed, made, unreached }: Omit<Score, 'file'>) =>
  `| ${name} | ${made} | ${noticed} | ${unreached} | ${Math.floor((100 * noticed) / made)} % |`;
