/** What makes patterns, folding and parsers work hard: each is repeated until the text is full. */
export const repeated: readonly string[] = [
  ...[
    'a',
    'A',
    ' ',
    '0',
    '.',
    '-',
    '_',
    '/',
    '=',
    '%',
    '<',
    '[',
    '(',
    '@',
    '+',
    '"',
    "'",
    ',',
    ':',
    '*',
    '`',
    '#',
    '\n',
  ],
  ...['a@', 'a.', 'a ', 'a-', '0a', '0 ', '](', '[](', '://', '&a', '%41', 'one ', '<a ', 'a@a.'],
  ...['\t', '\ud800', '\udc00', 'é', 'a\u0301\u0316', '㏂', 'ﷺ', 'İ', 'ß', '\u200b', '👩‍👩‍👧', 'א ', '\u202e', '\0'],
];

/** Ends that no pattern expects: with them it has to give up, and to try again from its next beginning. */
export const ends: readonly string[] = ['', 'a', '\n!'];

/** A text of exactly so many UTF-16 units, as a contract counts them. */
export const fillUnits = (unit: string, end: string, units: number): string =>
  `${unit.repeat(Math.ceil(units / unit.length)).slice(0, Math.max(0, units - end.length))}${end}`.slice(0, units);

/** CPU time of this process so far. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** How much may be spent on one text. */
export const mostMs = 50;
const mostRuns = 5;
/** What is so dear twice is no accident. */
const surelyDearMs = 4 * mostMs;

/**
 * CPU time that something takes: the least of several runs, so that neither a collection nor a neighbour counts. A run that is
 * cheap is believed at once.
 */
export async function costOf(run: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < mostRuns && least > mostMs; n++) {
    const began = cpuMs();
    await run();
    least = Math.min(least, cpuMs() - began);
    if (n > 0 && least > surelyDearMs) break;
  }
  return least;
}
