/** What a journey's source says that it presses. */
export interface Pressed {
  journey: string;
  matches(name: string): boolean;
}

const roles = 'button|link|switch|checkbox|radio|menuitem|combobox|tab|option';
const byRole = new RegExp(
  `getByRole\\(\\s*'(?:${roles})',\\s*\\{\\s*name:\\s*('(?:[^'\\\\]|\\\\.)*'|"[^"]*"|/(?:[^/\\\\]|\\\\.)+/\\w*)`,
  'g',
);
const byLabel = /(?:getByLabel|getByText|press|tap|click)\(\s*('(?:[^'\\]|\\.)*'|"[^"]*"|\/(?:[^/\\]|\\.)+\/\w*)/g;

/** Reads which controls a journey, or what journeys have in common, names to press them. */
export function readPressed(journey: string, text: string): Pressed[] {
  return [byRole, byLabel].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, said = '']) => ({ journey, matches: matcherOf(said) })),
  );
}

function matcherOf(said: string): (name: string) => boolean {
  const pattern = /^\/(.+)\/(\w*)$/s.exec(said);
  if (pattern !== null) {
    const wanted = new RegExp(pattern[1] ?? '', (pattern[2] ?? '').replace('g', ''));
    return (name) => partsOf(name).some((part) => wanted.test(part));
  }
  const wanted = said.slice(1, -1).toLowerCase();
  return (name) =>
    partsOf(name).some((part) => (part.includes('…') ? patternOf(part).test(wanted) : part.toLowerCase() === wanted));
}

/** Two ways in which a control may be named, or one. */
const partsOf = (name: string): string[] => (name === '' || name === '…' ? [] : name.split(' / '));
const escapePattern = (words: string) => words.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** What is only known while it runs may be anything. */
const patternOf = (name: string) =>
  new RegExp(
    `^${name
      .split('…')
      .map((part) => escapePattern(part.trim()))
      .join('.*')}$`,
  );
