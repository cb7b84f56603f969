import postcss, { type AtRule, type ChildNode, type Container, type Document } from 'postcss';
import { lookUp, lookUpType, type Missing } from './support.ts';

/** Lists what the oldest browsers lack of a style sheet. What stands in `@supports` asks for itself. */
export function findInStyles(text: string): Missing[] {
  const found: (Missing | undefined)[] = [];
  postcss.parse(text).walk((node) => {
    if (!isAskedFor(node.parent)) found.push(...findInNode(node));
  });
  return found.filter((missing) => missing !== undefined);
}

/** Finds `:has` in the classes of a component: there it may be all that tells what is chosen. */
export function findInClasses(text: string): Missing[] {
  const missing = lookUp('css', 'selectors', 'has');
  const isUsed = /(?<=["'`\s])(?:[\w-]+:)*has-[a-z[]|\[[^\]\s]*:has\(/.test(text);
  return missing !== undefined && isUsed ? [{ ...missing, feature: 'css.classes.has' }] : [];
}

function findInNode(node: ChildNode): (Missing | undefined)[] {
  if (node.type === 'atrule') return [lookUp('css', 'at-rules', node.name)];
  // A phone shows no cursor.
  if (node.type === 'decl') return /^(-|cursor$)/.test(node.prop) ? [] : findInDeclaration(node.prop, node.value);
  if (node.type !== 'rule') return [];
  const names = [...node.selector.matchAll(/::?([a-z][a-z-]*)/g)].map(([, name = '']) => name);
  return names.map((name) => lookUp('css', 'selectors', name));
}

function findInDeclaration(prop: string, value: string): (Missing | undefined)[] {
  const bare = value.replaceAll(/"[^"]*"|'[^']*'|url\([^)]*\)/g, '');
  const words = [...bare.matchAll(/(?<![\w#.-])([a-z][a-z-]*)(\(?)/g)];
  return [
    lookUp('css', 'properties', prop),
    ...words.map(([, word = '', bracket]) => (bracket ? lookUpType(word) : lookUp('css', 'properties', prop, word))),
    ...(/\d[sld]v[hwib]/.test(bare) ? [lookUp('css', 'types', 'length', 'viewport_percentage_units_dynamic')] : []),
    ...(/\dcq[whib]/.test(bare) ? [lookUp('css', 'types', 'length', 'container_query_length_units')] : []),
  ];
}

function isAskedFor(place: Container | Document | undefined): boolean {
  if (place === undefined || place.type === 'root' || place.type === 'document') return false;
  return (place.type === 'atrule' && (place as AtRule).name === 'supports') || isAskedFor(place.parent);
}
