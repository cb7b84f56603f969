import { parseSync } from 'vite';

/** The most lines that a file and a function may have, comments and blank lines among them. */
export const mostLines = { file: 300, function: 60, list: 400 };

/** Files that are one list, table or form, one entry after the other. */
const lists = new Set(['src/features/settings/rules.ts', 'src/engines/payments/payments.test.ts']);

/** A node of the parser's tree, as far as it is asked here. */
interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

/**
 * Returns what is too long in a file, one line each: `src/a.ts:12 openThings (61 lines)`. Every line counts, from the first of a function to its last.
 * In a test, what is handed to `describe`, `it` or `test` is free, as it holds cases one after the other; every other function is not.
 */
export function findLongCode(file: string, text: string): string[] {
  const count = text.replace(/\n$/, '').split('\n').length;
  const most = lists.has(file) ? mostLines.list : mostLines.file;
  const itself = count > most ? [`${file}:1 the file (${count} lines)`] : [];
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`);
  const lineAt = linesOf(text);
  const isTest = /\.test\.tsx?$/.test(file);
  const functions = listFunctions(program as unknown as Node).flatMap(({ name, start, end, isCase }) => {
    if (isTest && isCase) return [];
    const [first, last] = [lineAt(start), lineAt(end)];
    const lines = last - first + 1;
    return lines > mostLines.function ? [`${file}:${first} ${name} (${lines} lines)`] : [];
  });
  return [...itself, ...functions];
}

interface Found {
  name: string;
  start: number;
  end: number;
  /** Handed to `describe`, `it` or `test`. */
  isCase: boolean;
}

/** Every function with a body below a node; a method begins where its name does. */
function listFunctions(node: Node, owner?: Node): Found[] {
  const below = Object.values(node)
    .flat()
    .filter(isNode)
    .flatMap((child) => listFunctions(child, node));
  const isFunction = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);
  if (!isFunction) return below;
  const isMethod = owner?.value === node && (owner.type === 'MethodDefinition' || owner.type === 'Property');
  const { start } = isMethod ? owner : node;
  return [{ name: nameOf(node, owner), start, end: node.end, isCase: isCase(node, owner) }, ...below];
}

/** `test('…', () => …)`, `describe.runIf(…)('…', () => …)` and `it.each(…)('…', () => …)`, but not `test.beforeEach(() => …)`. */
function isCase(node: Node, owner: Node | undefined): boolean {
  if (owner?.type !== 'CallExpression' || owner.callee === node) return false;
  let callee = owner.callee as Node;
  const last = (callee.property as Node | undefined)?.name;
  if (typeof last === 'string' && !/^(describe|only|skip|sequential|concurrent)$/.test(last)) return false;
  while (!callee.name) {
    const inner = callee.object ?? callee.callee ?? callee.tag;
    if (!isNode(inner)) return false;
    callee = inner;
  }
  return /^(describe|it|test)$/.test(String(callee.name));
}

/** Its own name, that of what it is assigned to, or that of what is called with it. */
function nameOf(node: Node, owner: Node | undefined): string {
  const named = [node.id, owner?.id, owner?.key, owner?.callee].find(isNode);
  const name = named?.name ?? (named?.property as Node | undefined)?.name;
  return typeof name === 'string' ? name : 'a function';
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Tells the line that an offset of a text stands in, the first being 1. */
function linesOf(text: string): (offset: number) => number {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    const after = starts.findIndex((start) => start > offset);
    return after === -1 ? starts.length : after;
  };
}
