import { type ESTree, parseSync } from 'vite';

/*
 * A browser that translates a page puts each piece of text into a <font> of its own. React goes on to write into the piece
 * that it knows, which stands in the page no more: a counter freezes. And it puts a sibling before that piece, or takes it
 * away, which ends the whole page. Text that is an element's only child is written through the element and stays right.
 */

/** A source file that holds JSX. */
interface Source {
  path: string;
  text: string;
}

/** What a child of an element may be on the page. */
interface Child {
  node: ESTree.Node;
  /** It may be a piece of text. */
  isText: boolean;
  /** It may be another one later, or nothing. */
  changes: boolean;
}

type Expression = ESTree.Expression | ESTree.JSXEmptyExpression | ESTree.JSXElement | ESTree.JSXFragment;

const nothing = (node: ESTree.Node): Child => ({ node, isText: false, changes: false });

/** The pieces of text that stand beside something else and may change, or beside something that comes and goes. */
export function findBareText(sources: readonly Source[]): string[] {
  const found: string[] = [];
  for (const { path, text } of sources) {
    const { program, errors } = parseSync(path, text, { preserveParens: false });
    if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
    const elements = listElements(program);
    const judge = (children: ESTree.JSXChild[]) => {
      const all = flatten(children, elements);
      for (const child of all) {
        const others = all.filter((other) => other !== child);
        if (!child.isText || others.length === 0) continue;
        if (!child.changes && !others.some(({ changes }) => changes)) continue;
        const line = text.slice(0, child.node.start).split('\n').length;
        const words = text.slice(child.node.start, child.node.end).replaceAll(/\s+/g, ' ').trim();
        found.push(`${path}:${line}: ${words.slice(0, 80)}`);
      }
    };
    walk(program, (node) => {
      if (node.type === 'JSXElement' || node.type === 'JSXFragment') judge(node.children);
    });
  }
  return [...new Set(found)];
}

/** Tells every node of a program. */
function walk(node: ESTree.Node, tell: (node: ESTree.Node) => void): void {
  tell(node);
  for (const part of Object.values(node).flat())
    if (typeof part === 'object' && part !== null && 'type' in part) walk(part as ESTree.Node, tell);
}

/** Names that stand for elements and no text: a constant that holds JSX, and whatever the type `Elements` says it of. */
function listElements(program: ESTree.Program): ReadonlySet<string> {
  const names = new Set<string>();
  const isElements = (type: ESTree.TSType | undefined): boolean =>
    type?.type === 'TSFunctionType'
      ? isElements(type.returnType.typeAnnotation)
      : type?.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && type.typeName.name === 'Elements';
  const add = (key: ESTree.Node, type: ESTree.TSTypeAnnotation | null | undefined) => {
    if (key.type === 'Identifier' && isElements(type?.typeAnnotation)) names.add(key.name);
  };
  walk(program, (node) => {
    if (node.type === 'TSPropertySignature') add(node.key, node.typeAnnotation);
    if (node.type === 'Identifier' && 'typeAnnotation' in node) add(node, node.typeAnnotation);
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier' || node.init === null) return;
    if (holdsJsx(node.init)) names.add(node.id.name);
  });
  return names;
}

/** `<li />`, or one that is there only sometimes. */
function holdsJsx(init: ESTree.Expression): boolean {
  const isJsx = ['JSXElement', 'JSXFragment', 'LogicalExpression', 'ConditionalExpression'].includes(init.type);
  return isJsx && !readExpression(init, new Set()).isText;
}

/** Returns what stands in an element, with what its fragments hold; blanks between lines are nothing. */
function flatten(children: readonly ESTree.JSXChild[], elements: ReadonlySet<string>): Child[] {
  return children.flatMap((child): Child[] => {
    if (child.type === 'JSXFragment') return flatten(child.children, elements);
    if (child.type === 'JSXText')
      return /^\s*\n\s*$/.test(child.value) ? [] : [{ node: child, isText: true, changes: false }];
    if (child.type !== 'JSXExpressionContainer') return [nothing(child)];
    if (child.expression.type === 'JSXEmptyExpression') return [];
    return [readExpression(child.expression, elements)];
  });
}

function readExpression(node: Expression, elements: ReadonlySet<string>): Child {
  const read = (one: Expression) => readExpression(one, elements);
  switch (node.type) {
    case 'JSXElement':
      return nothing(node);
    case 'JSXFragment':
      return { node, isText: flatten(node.children, elements).some(({ isText }) => isText), changes: false };
    case 'Literal':
      return { node, isText: true, changes: false };
    case 'Identifier':
      return { node, isText: !elements.has(node.name), changes: true };
    case 'LogicalExpression':
      // What stands left of && is shown only when it is 0, and nobody shows that.
      return {
        node,
        isText: (node.operator !== '&&' && read(node.left).isText) || read(node.right).isText,
        changes: true,
      };
    case 'ConditionalExpression':
      return { node, isText: read(node.consequent).isText || read(node.alternate).isText, changes: true };
    case 'CallExpression':
      return { node, isText: !makesElements(node, elements), changes: true };
    default:
      return { node, isText: true, changes: true };
  }
}

/** `.map((one) => <li … />)`, and what is drawn by a function that makes elements. */
function makesElements({ callee, arguments: [draw] }: ESTree.CallExpression, elements: ReadonlySet<string>): boolean {
  if (callee.type === 'Identifier') return callee.name === 'createPortal' || elements.has(callee.name);
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return false;
  if (!['map', 'flatMap'].includes(callee.property.name) || draw?.type !== 'ArrowFunctionExpression') return false;
  return draw.body.type === 'BlockStatement' || !readExpression(draw.body, elements).isText;
}
