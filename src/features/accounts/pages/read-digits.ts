/** Digits of a code as they are typed or pasted: in any script, with spaces and words around them. */
export const readDigits = (text: string): string =>
  Array.from(text.normalize('NFKC').matchAll(/\p{Nd}/gu), ([digit]) => worthOf(digit)).join('');

/** Every script has its ten digits in a row, beginning with its nought. */
function worthOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return before % 10;
}
