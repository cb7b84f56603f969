import path from 'node:path';

/** The texts of files, by their path from the root of the repository. */
export type Sources = ReadonlyMap<string, string>;

/** An import of one file by another. */
interface Import {
  from: string;
  to: string;
}

/** Statements begin a line; `import()` stands anywhere, in a type as well. */
const specifiers = /^(?:import|export)\s[^;'"]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\(\s*'([^']+)'/gm;
const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file);

/** The file that a specifier names, as package.json resolves it; undefined for a package. */
function resolve(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(from), specifier);
  if (!specifier.startsWith('#')) return undefined;
  return /^#(?:tests|db)\//.test(specifier) ? specifier.slice(1) : `src/${specifier.slice(1)}`;
}

/** Lists what files import of each other, types and dynamic imports included. */
function listImports(sources: Sources): Import[] {
  return [...sources].flatMap(([from, text]) =>
    [...text.matchAll(specifiers)]
      .map(([, ...found]) => resolve(from, found.find((specifier) => specifier !== undefined) ?? ''))
      .filter((to): to is string => to !== undefined && sources.has(to))
      .map((to) => ({ from, to })),
  );
}

/** Finds the groups of names that reach each other, each of two or more, in the order of the alphabet (Tarjan). */
function findCircles(imports: readonly Import[]): string[][] {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of imports) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (name: string): number => {
    order.set(name, order.size);
    let low = order.size - 1;
    open.push(name);
    lowest.set(name, low);
    for (const target of targets.get(name) ?? []) {
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (open.includes(target)) low = Math.min(low, lowest.get(target) ?? low);
    }
    lowest.set(name, low);
    if (low !== order.get(name)) return low;
    const circle = open.splice(open.indexOf(name)).toSorted();
    if (circle.length > 1) circles.push(circle);
    return low;
  };
  for (const name of targets.keys()) if (!order.has(name)) visit(name);
  return circles;
}

/** Circles that are still there: they may stay, but not longer on the list than in the code. */
const listGone = (known: readonly string[], found: readonly string[]): string[] =>
  known
    .filter((name) => !found.includes(name))
    .map((name) => `No longer a circle as it is listed, so take it off the list: ${name}`);

/** Finds files that need each other. @param known circles that may stay, as "a.ts, b.ts" */
export function findFileCircles(sources: Sources, known: readonly string[] = []): string[] {
  const circles = findCircles(listImports(sources)).map((files) => files.join(', '));
  const unknown = circles.filter((name) => !known.includes(name));
  return [...unknown.map((name) => `These files need each other: ${name}`), ...listGone(known, circles)];
}

/** The folder of a room that a file lies in: "tracing/work"; undefined for its root. */
const folderOf = (file: string): string | undefined => /^src\/features\/([^/]+\/[^/]+)\/./.exec(file)?.[1];
const roomOf = (folder: string): string => folder.split('/')[0] ?? '';

/**
 * Finds folders of one room that need each other. A room's root may be used by its folders and may use them.
 * @param known circles that may stay, as "tracing: evidence, verdict"
 */
export function findFolderCircles(sources: Sources, known: readonly string[] = []): string[] {
  const imports = listImports(sources).flatMap(({ from, to }) => {
    const [own, other] = [folderOf(from), folderOf(to)];
    const isInRoom = own !== undefined && other !== undefined && own !== other && roomOf(own) === roomOf(other);
    return isInRoom && !isTest(from) ? [{ from: own, to: other, files: `${from} → ${to}` }] : [];
  });
  const circles = findCircles(imports).map((folders) => ({
    name: `${roomOf(folders[0] ?? '')}: ${folders.map((folder) => folder.split('/')[1]).join(', ')}`,
    files: imports.filter(({ from, to }) => folders.includes(from) && folders.includes(to)).map(({ files }) => files),
  }));
  const unknown = circles.filter(({ name }) => !known.includes(name));
  return [
    ...unknown.map(({ name, files }) => `Folders of a room need each other – ${name}:\n  ${files.join('\n  ')}`),
    ...listGone(
      known,
      circles.map(({ name }) => name),
    ),
  ];
}
