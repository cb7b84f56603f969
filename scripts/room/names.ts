/** Every form in which the stamps use the names of a room and of the one thing that it holds. */
export interface Names {
  room: string;
  Room: string;
  /** In running text: `gift card`, `gift cards`, `Gift cards`. */
  noun: string;
  nouns: string;
  Title: string;
  /** In code: `GiftCard`, `GiftCards`. */
  Noun: string;
  Nouns: string;
  /** In SQL: `gift_cards`. */
  table: string;
}

/** All names; nothing when it cannot be told what one thing of the room is called. */
export function nameAll(room: string, noun = singularOf(room)): Names | undefined {
  if (!noun || !/^[a-z]+(-[a-z]+)*$/.test(noun)) return undefined;
  const words = noun.split('-');
  const manyWords = [...words.slice(0, -1), pluralOf(words.at(-1) ?? '')];
  return {
    room,
    Room: capital(room),
    noun: words.join(' '),
    nouns: manyWords.join(' '),
    Title: capital(manyWords.join(' ')),
    Noun: words.map(capital).join(''),
    Nouns: manyWords.map(capital).join(''),
    table: manyWords.join('_'),
  };
}

function singularOf(room: string): string | undefined {
  return /[^s]s$/.test(room) ? room.slice(0, -1) : undefined;
}

function pluralOf(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
