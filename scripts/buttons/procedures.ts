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

/** Some words of a file, and the declaration that they stand in. */
interface Place {
  words: string;
  file: string;
  /** The source of the declaration at the top of the file in which names are looked for first. */
  block: string;
}

/**
 * Returns the procedures that a handler calls, as far as sources tell: by its words, by what those are declared as in its file, and by
 * what a hook that is imported makes of them.
 * @param offset where the handler stands in its file: two components may each have a name for something of their own
 */
export function proceduresOf(
  { words, offset }: { words: string; offset: number },
  file: string,
  sources: ReadonlyMap<string, string>,
  names: ReadonlyMap<string, string>,
): string[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  const follow = (place: Place, steps: number): void => {
    const own = new Map(importsOf(place.file, sources.get(place.file) ?? '').flatMap(({ imported }) => [...imported]));
    const isOwn = place.file === file;
    for (const procedure of namedIn(place.words, isOwn, (name) => names.get(own.get(name) ?? name)))
      found.add(procedure);
    if (steps === 0) return;
    for (const [word] of place.words.matchAll(/\b[a-z]\w+\b/g))
      for (const next of declaredBy(word, place, sources)) {
        if (seen.has(next.words)) continue;
        seen.add(next.words);
        follow(next, steps - 1);
      }
  };
  follow({ words, file, block: blockAround(offset, sources.get(file) ?? '') }, mostSteps);
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

/** Returns what a word is declared as, with the file that says so: its own, or that of the hook that it is taken from. */
function declaredBy(word: string, { words, file, block }: Place, sources: ReadonlyMap<string, string>): Place[] {
  const text = sources.get(file) ?? '';
  const inside = declarationOf(word, block);
  const declared = inside ?? declarationAtTop(word, text);
  if (declared === undefined) return [];
  const members = membersOf(word, declared, words);
  // A field that is set sends nothing.
  if (/= useForm\(/.test(declared) && members.length > 0 && !members.includes('submit')) return [];
  const [, hook] = new RegExp(`^ *const (?:\\{[^}]*\\b)?${word}\\b[^=]*= (use[A-Z]\\w*)\\(`).exec(declared) ?? [];
  const from = hook && importsOf(file, text).find(({ imported }) => imported.has(hook))?.file;
  if (!from?.startsWith('src/features/'))
    return [{ words: declared, file, block: inside === undefined ? declared : block }];
  const hookBlock = declarationAtTop(hook ?? '', sources.get(from) ?? '') ?? '';
  return members.flatMap((name) => {
    const its = declarationOf(name, hookBlock);
    return its === undefined ? [] : [{ words: its, file: from, block: hookBlock }];
  });
}

/** Returns which names of a hook are meant: the one that is taken out of it, or those that are asked of what it returns. */
const membersOf = (word: string, declared: string, words: string): string[] =>
  /^ *const \{/.test(declared)
    ? [word]
    : [...words.matchAll(new RegExp(`\\b${word}\\.(\\w+)`, 'g'))].map(([, name = '']) => name);

/** Returns the declaration at the top of a file that a place stands in; the whole file where it stands in none. */
function blockAround(offset: number, text: string): string {
  const begins = [...text.matchAll(/^(?:export )?(?:default )?(?:async )?(?:const|function) .*$/gm)];
  const begin = begins.findLast(({ index }) => index <= offset);
  return begin === undefined ? text : cutDeclaration(text, begin.index, begin[0], '');
}

/** Returns the source of what a name is declared as at the top of a file. */
const declarationAtTop = (word: string, text: string): string | undefined => declarationOf(word, text, '');

/** Returns the source of what a name is declared as. @param indent of its line, as a pattern */
function declarationOf(word: string, text: string, indent = ' *'): string | undefined {
  const begin = new RegExp(
    `^(${indent})(?:export )?(?:default )?(?:async )?(?:const|function) (?:\\{[^}]*\\b)?\\[?${word}\\b.*$`,
    'm',
  ).exec(text);
  return begin === null ? undefined : cutDeclaration(text, begin.index, begin[0], begin[1] ?? '');
}

/** Returns a declaration to the end of the lines that stand deeper than it. */
function cutDeclaration(text: string, index: number, line: string, indent: string): string {
  const rest = text.slice(index + line.length + 1).split('\n');
  const end = rest.findIndex((next) => next !== '' && !next.startsWith(`${indent} `));
  const closes = rest[end]?.startsWith(`${indent}}`) || rest[end]?.startsWith(`${indent})`) ? 1 : 0;
  return [line, ...rest.slice(0, end === -1 ? 0 : end + closes)].join('\n');
}
