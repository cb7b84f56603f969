/** One way to recognise a question: a word of each group has to be there, and none of `not`. */
interface Key {
  groups: readonly (readonly string[])[];
  not: readonly string[];
}

/** Recognises questions by the words that have to be in them. */
export interface Keys {
  /** Every single word that they are written with. */
  words: readonly string[];
  /** @param phrases see `phrasesOf` @returns how many groups of the best way are there; 0 for none */
  match(phrases: ReadonlySet<string>): number;
}

/** Words that are joined in one phrase at most. */
const longestPhrase = 4;

/** Every word of a question, and whatever stands side by side in it. */
export function phrasesOf(stems: readonly string[]): ReadonlySet<string> {
  const phrases = new Set<string>();
  for (let start = 0; start < stems.length; start++)
    for (let end = start + 1; end <= Math.min(stems.length, start + longestPhrase); end++)
      phrases.add(stems.slice(start, end).join(' '));
  return phrases;
}

const anyOf = (part: string): string[] => part.split('|');

/**
 * Reads ways to recognise a question, each like `fan|viewer chat|direct_message !welcome`: one word of each group, wherever it stands;
 * words that stand side by side are joined by `_`; none of those behind `!`.
 * @param stemOf what words are brought to before they are compared
 */
export function readKeys(written: readonly string[], stemOf: (word: string) => string): Keys {
  const stemPhrase = (phrase: string) => phrase.split('_').map(stemOf).join(' ');
  const read = (way: string): Key => {
    const [there = '', not] = way.split(' !');
    return {
      groups: there.split(' ').map((part) => anyOf(part).map(stemPhrase)),
      not: not === undefined ? [] : anyOf(not).map(stemPhrase),
    };
  };
  const keys = written.map(read);
  return {
    words: written.flatMap((way) => way.split(/[ |_!]+/)).filter((word) => word !== ''),
    match(phrases) {
      const has = (phrase: string) => phrases.has(phrase);
      return keys.reduce(
        (most, { groups, not }) =>
          groups.length > most && groups.every((group) => group.some(has)) && !not.some(has) ? groups.length : most,
        0,
      );
    },
  };
}
