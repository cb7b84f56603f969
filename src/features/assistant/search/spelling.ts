/** How many of the first unknown words of a question are put right: nobody types more that matter. */
const mostWords = 40;

/** Letters that may be wrong: none in a short word, one in a longer one, two in a long one. */
const allowedFaults = (word: string): number => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2);

/**
 * Puts misspelt words right: each becomes the known word that is nearest, if one is near enough.
 * @param isKnown whether a word needs no other one, which its other forms do not either
 */
export function createSpelling(
  known: ReadonlySet<string>,
  isKnown: (word: string) => boolean = (word) => known.has(word),
): (words: readonly string[]) => string[] {
  // Where people go wrong is seldom the first letter.
  const byStart = new Map<string, string[]>();
  for (const word of [...known].sort()) {
    const start = startOf(word[0], word.length);
    const others = byStart.get(start);
    if (others) others.push(word);
    else byStart.set(start, [word]);
  }
  return (words) => {
    let left = mostWords;
    return words.map((word) => {
      if (isKnown(word) || allowedFaults(word) === 0 || left-- <= 0) return word;
      return findNearest(word, byStart) ?? word;
    });
  };
}

const startOf = (first: string | undefined, length: number) => `${first}${length}`;

function findNearest(word: string, byStart: ReadonlyMap<string, readonly string[]>): string | undefined {
  let nearest: string | undefined;
  let faults = allowedFaults(word) + 1;
  for (let length = word.length - 2; length <= word.length + 2; length++)
    for (const candidate of byStart.get(startOf(word[0], length)) ?? []) {
      const found = countFaults(word, candidate, faults);
      if (found < faults) [nearest, faults] = [candidate, found];
    }
  return nearest;
}

/**
 * Letters that are missing, too many, wrong or exchanged with their neighbour (optimal string alignment).
 * @param most where counting may stop
 */
export function countFaults(one: string, other: string, most = Number.POSITIVE_INFINITY): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, n) => n)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swapped = isSwapped ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY;
      const changed = at(last, j - 1) + Number(one[i - 1] !== other[j - 1]);
      row.push(Math.min(at(last, j) + 1, at(row, j - 1) + 1, changed, swapped));
    }
    if (Math.min(...row) >= most) return most;
    [before, last] = [last, row];
  }
  return at(last, other.length);
}

const at = (row: readonly number[], place: number): number => row[place] ?? 0;
