import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';

/** One regular expression of the product, as it stands in its file. */
export interface Pattern {
  file: string;
  source: string;
  flags: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Every node of a parsed file that is asked for here. */
function findNodes(node: Node, isWanted: (node: Node) => boolean): Node[] {
  const below = Object.values(node)
    .flat()
    .filter(isNode)
    .flatMap((child) => findNodes(child, isWanted));
  return isWanted(node) ? [node, ...below] : below;
}

const isMade = ({ type, callee }: Node) => type === 'NewExpression' && (callee as Node).name === 'RegExp';
const isNormalising = ({ type, callee }: Node) =>
  type === 'CallExpression' && ((callee as Node).property as Node | undefined)?.name === 'normalize';

/** What a file of the product does to texts. */
export interface TextWork {
  file: string;
  patterns: Pattern[];
  /** It makes patterns as it runs, or normalises: neither is seen in a pattern that stands there. */
  isHidden: boolean;
}

/** Reads every file of `src` but its tests. @param root folder of the project */
export function listTextWork(root: string): TextWork[] {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.test\.tsx?$/.test(file));
  return files.sort().map((file) => {
    const { program } = parseSync(file, readFileSync(path.join(root, file), 'utf8'));
    const nodes = findNodes(
      program as unknown as Node,
      (node) => 'regex' in node || isMade(node) || isNormalising(node),
    );
    const patterns = nodes.flatMap(({ regex }) => {
      const { pattern: source, flags } = (regex ?? {}) as { pattern?: string; flags?: string };
      return source === undefined ? [] : [{ file, source, flags: flags ?? '' }];
    });
    return { file, patterns, isHidden: patterns.length < nodes.length };
  });
}

const withoutClasses = (source: string) => source.replace(/\\./g, '').replace(/\[[^\]]*\]/g, '');

/** Returns whether a pattern may begin anywhere in a text and go on for as long as it likes: its cost can be the square of a length. */
export const isSearching = ({ source }: Pick<Pattern, 'source'>): boolean =>
  !source.startsWith('^') && /[*+]|\{\d+,\}/.test(withoutClasses(source));

/** The letters that stand in a pattern as they are, between its signs. */
export function lettersOf({ source }: Pick<Pattern, 'source'>): string[] {
  const plain = source
    .replace(/\\[bBdDsSwWnrtpP](\{[^}]*\})?|\[[^\]]*\]|\(\?<?[:=!]/g, '\0')
    .replace(/\\(.)/g, '$1')
    .split(/[\0()|?*+{}^$]/);
  return [...new Set(plain.filter((letters) => letters !== '' && letters.length < 30))];
}
