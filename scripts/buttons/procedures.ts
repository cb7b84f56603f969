import { importsOf } from './imports.ts';

/** How deep names of a handler are followed. */
const mostSteps = 4;

/** Returns which name stands for the calls of which room, out of all sources that make one. */
export function readCallNames(sources: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const text of sources.values())
    for (const [, name = '', room = ''] of text.matchAll(/const (\w+) = callsOf\('(\w+)'/g)) names.set(name, room);
  return names;
}

/**
 * Returns the procedures that a handler calls, as far as sources tell: by its words, by what those are declared as in its file, and by
 * what a hook that is imported makes of them.
 */
export function proceduresOf(
  handler: string,
  file: string,
  sources: ReadonlyMap<string, string>,
  names: ReadonlyMap<string, string>,
): string[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  const follow = (words: string, at: string, steps: number): void => {
    const own = new Map(importsOf(at, sources.get(at) ?? '').flatMap(({ imported }) => [...imported]));
    for (const procedure of namedIn(words, at === file, (name) => names.get(own.get(name) ?? name)))
      found.add(procedure);
    if (steps === 0) return;
    for (const [word] of words.matchAll(/\b[a-z]\w+\b/g)) {
      for (const next of declaredBy(word, words, at, sources)) {
        if (seen.has(next.words)) continue;
        seen.add(next.words);
        follow(next.words, next.file, steps - 1);
      }
    }
  };
  follow(handler, file, mostSteps);
  return [...found].toSorted();
}

/** Returns the procedures that stand in some words: of another file only what is done, as a hook reads whatever it needs besides. */
const namedIn = (words: string, isOwn: boolean, roomOf: (name: string) => string | undefined): string[] =>
  [
    ...words.matchAll(
      isOwn
        ? /\b(\w+)\.(\w+)\.(?:mutationOptions|call|queryOptions)\b/g
        : /\b(\w+)\.(\w+)\.(?:mutationOptions|call)\b/g,
    ),
  ].flatMap(([, name = '', procedure = '']) => {
    const room = roomOf(name);
    return room === undefined ? [] : [`${room}.${procedure}`];
  });

/** Returns what a word of a file is declared as, with the file that says so: its own, or that of the hook that it is taken from. */
function declaredBy(
  word: string,
  words: string,
  file: string,
  sources: ReadonlyMap<string, string>,
): { words: string; file: string }[] {
  const text = sources.get(file) ?? '';
  const declared = declarationOf(word, text);
  if (declared === undefined) return [];
  const [, hook] = new RegExp(`^ *const (?:\\{[^}]*\\b)?${word}\\b[^=]*= (use[A-Z]\\w*)\\(`).exec(declared) ?? [];
  const from = hook && importsOf(file, text).find(({ imported }) => imported.has(hook))?.file;
  if (!from?.startsWith('src/features/')) return [{ words: declared, file }];
  return membersOf(word, declared, words).flatMap((name) => {
    const its = declarationOf(name, sources.get(from) ?? '');
    return its === undefined ? [] : [{ words: its, file: from }];
  });
}

/** Returns which names of a hook are meant: the one that is taken out of it, or those that are asked of what it returns. */
const membersOf = (word: string, declared: string, words: string): string[] =>
  /^ *const \{/.test(declared)
    ? [word]
    : [...words.matchAll(new RegExp(`\\b${word}\\.(\\w+)`, 'g'))].map(([, name = '']) => name);

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
