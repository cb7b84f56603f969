import path from 'node:path';
import { importsOf } from './imports.ts';

/** Who comes to the pages of a layout. */
const people: Readonly<Record<string, string>> = {
  'visitor-page': 'anybody',
  'public-page': 'anybody',
  'studio-page': 'creators',
  'session-page': 'signed in',
  'admin-page': 'administrators',
};

/** A page of the product. */
export interface PageEntry {
  address: string;
  who: string;
  file: string;
}

/** Reads the pages out of the list of routes. */
export function readPages(routes: string): PageEntry[] {
  const pages: PageEntry[] = [];
  let who = 'anybody';
  const above: { indent: number; address: string }[] = [];
  for (const line of routes.split('\n')) {
    const indent = line.length - line.trimStart().length;
    who = whoOf(line, indent) ?? who;
    const [, own = '', file] = /(?:route\('([^']+)', |index\()'([^']+)'/.exec(line) ?? [];
    if (file === undefined) continue;
    while ((above.at(-1)?.indent ?? -1) >= indent) above.pop();
    const address = addressOf(own, above.at(-1)?.address);
    pages.push({ address, who, file: path.join('src/app', file) });
    above.push({ indent, address });
  }
  return pages;
}

/** Returns for whom the pages are from this line on; undefined where that stays as it is. */
function whoOf(line: string, indent: number): string | undefined {
  const layout = /layout\('pages\/([\w-]+)\.tsx'/.exec(line);
  if (layout !== null) return people[layout[1] ?? ''] ?? 'anybody';
  return indent <= 2 ? 'anybody' : undefined;
}

const addressOf = (own: string, above: string | undefined): string => {
  if (own.startsWith('/') || own === '*') return own;
  return [above ?? '', own].filter((part) => part !== '').join('/') || '/';
};

/** Returns the pages on which each file's components may stand: those that need it, directly or by others. */
export function pagesByFile(
  pages: readonly PageEntry[],
  sources: ReadonlyMap<string, string>,
): Map<string, PageEntry[]> {
  const byFile = new Map<string, PageEntry[]>();
  for (const page of pages) {
    const [seen, open] = [new Set([page.file]), [page.file]];
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      byFile.set(file, [...(byFile.get(file) ?? []), page]);
      for (const { file: next } of importsOf(file, sources.get(file) ?? ''))
        if (sources.has(next) && !seen.has(next)) {
          seen.add(next);
          open.push(next);
        }
    }
  }
  return byFile;
}
