/** A name that only its author would search for. */
interface PrivateWord {
  /** Finds the name in its private sense alone. */
  pattern: RegExp;
  /** What a programmer of this field would call it. */
  instead: string;
}

const ofClass = (name: string, instead: string): PrivateWord => ({
  pattern: new RegExp(`\\bclass ${name}\\b`),
  instead,
});

/** Names that were used once and are not to come back. */
export const privateWords: readonly PrivateWord[] = [
  ofClass('Told', 'FormError'),
  ofClass('Lost', 'ConcurrentChange'),
  ofClass('Overtaken', 'ConcurrentChange'),
  ofClass('Undone', 'OrderRolledBack'),
  ofClass('NobodyWants', 'VideoSuperseded'),
  ofClass('TurnOver', 'TurnEnded'),
  ofClass('StrangeAnswer', 'MalformedAnswer'),
  ofClass('PutBack', 'JobRequeued'),
  { pattern: /\bplanNow\b/, instead: 'moneyNow' },
  { pattern: /#features\/money\/(plan|ledger|cards)\b/, instead: 'the rooms plans and books' },
];

/** The private names in a file: "src/a.ts:3 class Lost: say ConcurrentChange". */
export const findPrivateWords = (file: string, text: string): string[] =>
  text.split('\n').flatMap((line, at) =>
    privateWords.flatMap(({ pattern, instead }) => {
      const found = pattern.exec(line)?.[0];
      return found === undefined ? [] : [`${file}:${at + 1} ${found}: say ${instead}`];
    }),
  );
