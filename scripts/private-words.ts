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
  { pattern: /\btell[A-Z]\w*/, instead: 'notify… where somebody is written to, describe… where words are returned' },
  { pattern: /\b(?:tx|system|database)\.ask\b/, instead: 'query' },
  { pattern: /\b(?:tx|system)\.tell\b/, instead: 'publish' },
  { pattern: /\b[A-Za-z]*Wish(?:es)?\b/, instead: '…Params, …Input or …Request' },
  {
    pattern: /\bproject(?:Plan|Fan|Account|Pack|Session|Dispute|Charge|Warning|Payout|Payment|Object|Money)\w*/,
    instead: 'sync…',
  },
  { pattern: /\b(?:[Hh]earers?|[Hh]earings|HeardEvent)\b/, instead: 'subscriber, stream or received event' },
  { pattern: /\b[A-Za-z]*Crowds?\b/, instead: 'network queue, audience or …Network' },
  { pattern: /\b(?:\w+Standing|Standing|standingOf)\b/, instead: '…Access, …State, …Outcome or entitlement' },
  { pattern: /\b(?:\w*Till|till)\b/, instead: 'checkout or billing' },
  { pattern: /\bknobs?\b/, instead: 'button' },
  { pattern: /\b[Bb]eat[A-Z]\w*|\b[a-z]+Beat\b/, instead: 'heartbeat' },
  { pattern: /\banew\b/, instead: 'again' },
  { pattern: /\.\.\.\{ \w/, instead: 'each property on a line of its own' },
  { pattern: /\bpass\(app\b/, instead: 'advance(app, ms)' },
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
