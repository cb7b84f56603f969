/** A stretch of an answer. */
export interface Span {
  kind: 'plain' | 'bold' | 'italic' | 'underline' | 'code' | 'break';
  text: string;
  /** Where it begins in the answer. */
  at: number;
}

/** The four markers, the longer ones first; each holds at least one letter and stays on its line. */
const marked = /\*\*([^*\n]+)\*\*|__([^_\n]+)__|\*([^*\n]+)\*|`([^`\n]+)`|\n/g;

/** An answer in stretches: **bold**, *italic*, __underline__, `code` and line breaks; everything else is plain text. */
export function readMarkers(answer: string): Span[] {
  const spans: Span[] = [];
  let at = 0;
  const addPlain = (until: number) => {
    if (until > at) spans.push({ kind: 'plain', text: answer.slice(at, until), at });
  };
  for (const found of answer.matchAll(marked)) {
    addPlain(found.index);
    spans.push({ ...spanOf(found), at: found.index });
    at = found.index + found[0].length;
  }
  addPlain(answer.length);
  return spans;
}

function spanOf([, bold, underline, italic, code]: RegExpMatchArray): Omit<Span, 'at'> {
  if (bold !== undefined) return { kind: 'bold', text: bold };
  if (underline !== undefined) return { kind: 'underline', text: underline };
  if (italic !== undefined) return { kind: 'italic', text: italic };
  return code === undefined ? { kind: 'break', text: '\n' } : { kind: 'code', text: code };
}
