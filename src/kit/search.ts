/** Accents, vowel points and the like, which people leave out when they search; signs that show nothing at all. */
const marks =
  /[\u0300-\u036f]|[\u0591-\u05c7]|[\u064b-\u065f]|\u0670|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe20-\ufe2f]|\ufe0e|\ufe0f|\p{Cf}/gu;

/** Letters and signs that Unicode takes apart in no way, as people write them on a keyboard that has no such key. */
const plainly: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ς: 'σ',
  '‘': "'",
  '’': "'",
  ʼ: "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '‐': '-',
  '‑': '-',
  '–': '-',
  '—': '-',
};
const unusual = new RegExp(`[${Object.keys(plainly).join('')}]`, 'gu');

/** A text as people search for it: small letters without marks, so that "cafe" finds "Café" and "STRASSE" finds "Straße". */
export const foldText = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(marks, '')
    .toLowerCase()
    .replace(unusual, (sign) => plainly[sign] ?? sign)
    .replace(/\s+/gu, ' ')
    .trim();

/** Several texts folded into one that is searched; no search finds what begins in one of them and ends in the next. */
export const foldTexts = (...texts: readonly (string | null)[]): string =>
  texts.map((text) => foldText(text ?? '')).join('\n');

/** Returns what SQL's `like` finds a folded text by, wherever in it the words stand. */
export const searchPattern = (words: string): string => `%${foldText(words).replace(/[\\%_]/g, '\\$&')}%`;
