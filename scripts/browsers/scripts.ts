import { parseSync } from 'vite';
import { isInterface, lookUp, lookUpMember, type Missing } from './support.ts';

interface Node {
  type: string;
  [field: string]: unknown;
}

/** Objects that every page has, and what they are. */
const globals: Readonly<Record<string, string>> = {
  navigator: 'Navigator',
  document: 'Document',
  window: 'Window',
  globalThis: 'Window',
  screen: 'Screen',
  history: 'History',
  performance: 'Performance',
};

/** Lists what the oldest browsers lack of a script. What `?.` reads or calls asks for itself. */
export function findInScript(file: string, text: string): Missing[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`);
  const found: (Missing | undefined)[] = [];
  walk(program as unknown as Node, (node) => {
    // A method that may be missing.
    if (node.type === 'CallExpression' && node.optional === true) (node.callee as Node).optional = true;
    if (node.type === 'NewExpression') found.push(findInterface(nameOf(node.callee)));
    if (node.type === 'MemberExpression' && node.computed !== true && node.optional !== true)
      found.push(findMember(nameOf(node.object), nameOf(node.property)));
  });
  return found.filter((missing) => missing !== undefined);
}

const nameOf = (node: unknown): string => {
  const { type, name } = (node ?? {}) as { type?: string; name?: unknown };
  return type === 'Identifier' ? String(name) : '';
};

const findInterface = (name: string): Missing | undefined => (isInterface(name) ? lookUp('api', name) : undefined);

function findMember(object: string, property: string): Missing | undefined {
  const known = globals[object];
  if (known !== undefined) return lookUp('api', known, property);
  if (isInterface(object)) return findInterface(object) ?? lookUp('api', object, `${property}_static`);
  return property === '' ? undefined : lookUpMember(property);
}

function walk(node: Node, visit: (node: Node) => void): void {
  // A type is gone before a browser sees it.
  if (/^TS(?!AsExpression|NonNull|Satisfies)/.test(node.type)) return;
  visit(node);
  for (const [field, value] of Object.entries(node))
    if (field !== 'typeAnnotation')
      for (const child of [value].flat())
        if (typeof child === 'object' && child !== null && 'type' in child) walk(child as Node, visit);
}
