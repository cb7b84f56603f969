/** How deep names of a handler are followed within their file. */
const mostSteps = 4;

/** Returns which name stands for the calls of which room, out of all sources that make one. */
export function readCallNames(sources: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const text of sources.values())
    for (const [, name = '', room = ''] of text.matchAll(/const (\w+) = callsOf\('(\w+)'/g)) names.set(name, room);
  return names;
}

/** Returns the procedures that a handler calls, as far as its own file tells: by its words, or by what those are declared as. */
export function proceduresOf(handler: string, text: string, names: ReadonlyMap<string, string>): string[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  const follow = (words: string, steps: number): void => {
    for (const [, name = '', procedure = ''] of words.matchAll(
      /\b(\w+)\.(\w+)\.(?:mutationOptions|call|queryOptions)\b/g,
    )) {
      const room = names.get(name);
      if (room !== undefined) found.add(`${room}.${procedure}`);
    }
    if (steps === 0) return;
    for (const [word] of words.matchAll(/\b[a-z]\w+\b/g)) {
      if (seen.has(word)) continue;
      seen.add(word);
      const declared = declarationOf(word, text);
      if (declared !== undefined) follow(declared, steps - 1);
    }
  };
  follow(handler, mostSteps);
  return [...found].toSorted();
}

/** Returns the source of what a name is declared as: to the end of the lines that stand deeper than it. */
function declarationOf(word: string, text: string): string | undefined {
  const begin = new RegExp(
    `^( *)(?:export )?(?:async )?(?:const|function) (?:\\{[^}]*\\b)?\\[?${word}\\b.*$`,
    'm',
  ).exec(text);
  if (begin === null) return undefined;
  const [line, indent = ''] = begin;
  const rest = text.slice(begin.index + line.length + 1).split('\n');
  const end = rest.findIndex((next) => next !== '' && !next.startsWith(`${indent} `));
  const closes = rest[end]?.startsWith(`${indent}}`) || rest[end]?.startsWith(`${indent})`) ? 1 : 0;
  return [line, ...rest.slice(0, end === -1 ? 0 : end + closes)].join('\n');
}
