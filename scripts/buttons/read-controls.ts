import { parseSync } from 'vite';

/** A node of the parser's tree, as far as it is asked here. */
interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

/** Something that people press, as its source writes it. */
export interface SourceControl {
  kind: 'button' | 'link' | 'switch' | 'choice' | 'menu item' | 'form';
  /** Its accessible name; `…` stands for what is only known while it runs. Empty where nothing of it is known. */
  name: string;
  /** The source of what it does; undefined where it does nothing by itself. */
  handler: string | undefined;
  /** Where it stands in its file, in letters. */
  offset: number;
}

/** A control as it is read: with the id of the form that it is, or that it sends from elsewhere. */
interface ReadControl extends SourceControl {
  formId?: string | undefined;
}

/** Marks of a control that is given what it does, or handed to what opens. No name of a source begins so. */
const [given, opens] = ['GIVEN', 'OPENS'];

const kinds: Readonly<Record<string, SourceControl['kind']>> = {
  Button: 'button',
  IconButton: 'button',
  SecondClick: 'button',
  button: 'button',
  ButtonLink: 'link',
  Switch: 'switch',
  Checkbox: 'switch',
  Segmented: 'choice',
  Select: 'choice',
  Chips: 'choice',
  form: 'form',
};
const handlers = [
  'onClick',
  'onPress',
  'onConfirm',
  'onChange',
  'onSubmit',
  'onSelect',
  'onCheckedChange',
  'to',
  'href',
  'action',
  'form',
];

/** Attributes with an address: what the page there asks for is its own. */
const leads = new Set(['to', 'href', 'action']);

/** What is handed to a menu, a popover or a sheet as its button opens it. */
const openers = new Set(['trigger', 'render', 'word', 'button']);

/** What hands on what it holds as it is. */
const passing = new Set(['JSXExpressionContainer', 'ParenthesizedExpression', 'ConditionalExpression', 'JSXFragment']);
const isPassing = ({ type }: Node) => passing.has(type);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

/** Returns the controls that a page's or component's source draws, in their order. */
export function readControls(file: string, text: string): SourceControl[] {
  const { program } = parseSync(file, text);
  const found: ReadControl[] = [];
  const visit = (node: Node, isOpener: boolean, form?: string): void => {
    const control = node.type === 'JSXElement' ? readElement(node, text, form) : readMenuItem(node, text);
    const around = control?.kind === 'form' ? control.handler : form;
    if (control !== undefined) found.push(isOpener ? { ...control, handler: control.handler ?? opens } : control);
    const isOpened = isOpening(node) || (isOpener && isPassing(node));
    for (const child of childrenOf(node)) visit(child, isOpened, around);
  };
  visit(program as unknown as Node, false);
  const forms = new Map(found.flatMap(({ kind, formId, handler }) => (kind === 'form' ? [[formId, handler]] : [])));
  return found.map(({ formId, handler, ...control }) => ({
    ...control,
    handler: (control.kind !== 'form' && formId !== undefined && forms.get(formId)) || handler,
  }));
}

/** Returns whether a control that a node holds is handed on to what it opens: one that has a name of its own is. */
const isOpening = (node: Node): boolean =>
  node.type === 'VariableDeclarator' || (node.type === 'JSXAttribute' && openers.has(nameOf(node.name as Node)));

/** Reads an element that is a control. @param form what the form does that it stands in, whose button does the same */
function readElement(node: Node, text: string, form: string | undefined): ReadControl | undefined {
  const opening = node.openingElement as Node;
  const tag = text.slice((opening.name as Node).start, (opening.name as Node).end);
  const kind = kinds[tag];
  if (kind === undefined) return undefined;
  const attributes = new Map<string, Node | null>();
  let isSpread = false;
  for (const attribute of opening.attributes as Node[])
    if (attribute.type === 'JSXSpreadAttribute') isSpread = true;
    else attributes.set(nameOf(attribute.name as Node), attribute.value as Node | null);
  const its = handlers.flatMap((one) => (attributes.has(one) ? [leads.has(one) ? null : attributes.get(one)] : []));
  // A button without a type of its own sends the form that it stands in; one that takes what it is given does that.
  const sends = attributes.get('type');
  // A page without React finds its buttons by such an attribute; one that is always off is no dead one.
  const isFound = [...attributes].some(
    ([one, value]) => one.startsWith('data-') || (one === 'disabled' && value === null),
  );
  const isSubmit = Boolean(sends) && wordsOf(sends as Node, text) === 'submit';
  const other = isSpread || isFound || isSubmit ? ((isSubmit ? form : undefined) ?? given) : undefined;
  const handler =
    its.length === 0 ? other : its.map((value) => (value ? text.slice(value.start, value.end) : '')).join(' ');
  const id = attributes.get(kind === 'form' ? 'id' : 'form');
  const formId = id ? text.slice(id.start, id.end) : undefined;
  return {
    kind,
    name: kind === 'form' ? '' : accessibleName(node, attributes, text),
    handler,
    formId,
    offset: node.start,
  };
}

function accessibleName(node: Node, attributes: ReadonlyMap<string, Node | null>, text: string): string {
  const labelled = attributes.get('aria-label') ?? attributes.get('label');
  if (labelled) return wordsOf(labelled, text);
  return tidy((node.children as Node[]).map((child) => wordsOf(child, text)).join(' '));
}

/** An entry of a menu is an object with a label and what selecting it does. */
function readMenuItem(node: Node, text: string): SourceControl | undefined {
  if (node.type !== 'ObjectExpression') return undefined;
  const fields = new Map<string, Node>();
  for (const property of node.properties as Node[])
    if (property.type === 'Property') fields.set(nameOf(property.key as Node), property.value as Node);
  const [label, onSelect] = [fields.get('label'), fields.get('onSelect')];
  if (label === undefined || onSelect === undefined) return undefined;
  return {
    kind: 'menu item',
    name: wordsOf(label, text),
    handler: text.slice(onSelect.start, onSelect.end),
    offset: node.start,
  };
}

const nameOf = (node: Node): string => String(node.name ?? node.value ?? '');
const tidy = (words: string): string =>
  words
    .replace(/\s+/g, ' ')
    .replace(/(… ?)+/g, '… ')
    .trim()
    .slice(0, 120);

/** Returns the words that an expression comes to; two ways are parted by a slash. */
function wordsOf(node: Node, text: string): string {
  const inner = (name: string) => wordsOf(node[name] as Node, text);
  switch (node.type) {
    case 'JSXText':
    case 'Literal':
      return tidy(String(node.value ?? ''));
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
      return inner('expression');
    case 'TemplateLiteral':
      return tidy((node.quasis as Node[]).map((part) => (part.value as { cooked: string }).cooked).join(' … '));
    case 'ConditionalExpression':
      return tidy(`${inner('consequent')} / ${inner('alternate')}`);
    case 'JSXElement':
    case 'JSXFragment':
      return tidy((node.children as Node[]).map((child) => wordsOf(child, text)).join(' '));
    case 'JSXEmptyExpression':
      return '';
    default:
      return '…';
  }
}
