/** Characters that no XML document may contain (XML 1.0 §2.2), and so no HTML that is made of one; half letters among them. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Line breaks of every kind: the pair of Windows, what word processors paste for a soft one, Unicode's own two. */
const otherBreaks = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

const blanks = /[\s\u0085]+/g;
const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]/;

/** Returns a text as it may be stored: without what XML forbids, each of its line breaks a plain one. */
export const cleanText = (text: string): string => text.replace(otherBreaks, '\n').replace(forbidden, '');

/** Returns a name or title as it may be stored: on one line, whatever was typed. */
export const cleanLine = (text: string): string =>
  text.replace(blanks, (run) => (breaks.test(run) ? ' ' : run)).replace(forbidden, '');
