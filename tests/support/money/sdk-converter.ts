import { ts } from '@ts-morph/common';

export type Schema = Record<string, unknown>;

export interface Converter {
  convert(type: ts.Type): Schema;
  /** What the converted types have in common, by name. */
  definitions: Record<string, Schema>;
}

/** Resources that an answer may hold whole instead of by their id: those that we ask to be expanded. */
const expandable =
  /^(PaymentIntent|Charge|BalanceTransaction|Refund|Transfer|ApplicationFee|TransferReversal|FeeRefund|Dispute|Customer|PaymentMethod|Topup)$/;
const decimal: Schema = { type: 'string', pattern: '^-?[0-9]+(\\.[0-9]+)?$' };

const isString = (type: ts.Type) => (type.flags & ts.TypeFlags.String) !== 0;
/** A word that the SDK does not know yet: our contract wants those that it knows. */
const isOtherString = (type: ts.Type) => type.isIntersection() && type.types.some(isString);
const isDecimal = (type: ts.Type) =>
  type.aliasSymbol?.name === 'Decimal' || type.getProperty('_coefficient') !== undefined;

interface Known {
  checker: ts.TypeChecker;
  definitions: Record<string, Schema>;
  names: Map<ts.Type, string>;
}

/** Turns the types of the SDK into JSON Schemas: every field that they require, and no other than they name. */
export function openConverter(checker: ts.TypeChecker): Converter {
  const known: Known = { checker, definitions: {}, names: new Map() };
  return { definitions: known.definitions, convert: (type) => convert(known, type) };
}

const nameOf = ({ checker }: Known, type: ts.Type): string | undefined => {
  const symbol = type.aliasSymbol ?? type.symbol;
  if (symbol === undefined) return undefined;
  const name = checker.getFullyQualifiedName(symbol);
  return name.replace(/^".*?(resources|esm)\//, '').replaceAll(/["/]/g, '.');
};

const isResource = (type: ts.Type) =>
  (type.flags & ts.TypeFlags.Object) !== 0 &&
  type.getProperty('object') !== undefined &&
  type.getProperty('id') !== undefined;

function convertObject(known: Known, type: ts.Type): Schema {
  const { checker } = known;
  const index = checker.getIndexInfoOfType(type, ts.IndexKind.String);
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const property of checker.getPropertiesOfType(type)) {
    const inner = checker.getTypeOfSymbol(property);
    if (property.name === 'lastResponse' || inner.getCallSignatures().length > 0) continue;
    properties[property.name] = convert(known, inner);
    if ((property.flags & ts.SymbolFlags.Optional) === 0) required.push(property.name);
  }
  return { type: 'object', properties, required, additionalProperties: index ? convert(known, index.type) : false };
}

const isLiteral = (type: ts.Type): type is ts.LiteralType => type.isStringLiteral() || type.isNumberLiteral();

function convertUnion(known: Known, type: ts.UnionType): Schema {
  const parts = type.types.filter(({ flags }) => (flags & ts.TypeFlags.Undefined) === 0);
  const words = parts.flatMap((part) => (isLiteral(part) ? [part.value] : []));
  const hasString = parts.some(isString);
  const isExpandable = (part: ts.Type) => expandable.test((nameOf(known, part) ?? '').split('.').at(-1) ?? '');
  const isLeftOut = (part: ts.Type) =>
    isLiteral(part) ||
    (words.length > 0 && isOtherString(part)) ||
    (hasString && isResource(part) && !isExpandable(part));
  const others = parts.filter((part) => !isLeftOut(part)).map((part) => convert(known, part));
  const any = [...others, ...(words.length > 0 ? [{ enum: words }] : [])];
  return any.length === 1 && any[0] !== undefined ? any[0] : { anyOf: any };
}

function convertNamed(known: Known, type: ts.Type): Schema {
  const { names, definitions } = known;
  const name = nameOf(known, type);
  if (name === undefined || name.endsWith('__type')) return convertObject(known, type);
  const found = names.get(type);
  if (found !== undefined) return { $ref: `#/$defs/${found}` };
  const id = `${name.replaceAll(/\W/g, '_')}_${names.size}`;
  names.set(type, id);
  definitions[id] = convertObject(known, type);
  return { $ref: `#/$defs/${id}` };
}

const plain: readonly [ts.TypeFlags, Schema][] = [
  [ts.TypeFlags.String, { type: 'string' }],
  [ts.TypeFlags.Number, { type: 'number' }],
  [ts.TypeFlags.Boolean, { type: 'boolean' }],
  [ts.TypeFlags.Null, { type: 'null' }],
];

/** Types that are one word or one value; undefined for all others. */
function convertSimple({ checker }: Known, type: ts.Type): Schema | undefined {
  if (isDecimal(type)) return decimal;
  if (isOtherString(type)) return { type: 'string' };
  if (isLiteral(type)) return { const: type.value };
  const found = plain.find(([flag]) => (type.flags & flag) !== 0)?.[1];
  if (found !== undefined || (type.flags & ts.TypeFlags.BooleanLiteral) === 0) return found;
  return { const: checker.typeToString(type) === 'true' };
}

function convert(known: Known, type: ts.Type): Schema {
  const simple = convertSimple(known, type);
  if (simple !== undefined) return simple;
  if (type.isUnion()) return convertUnion(known, type);
  if (type.isIntersection()) return convertObject(known, type);
  if (known.checker.isArrayType(type)) {
    const [item] = known.checker.getTypeArguments(type as ts.TypeReference);
    return { type: 'array', items: item ? convert(known, item) : {} };
  }
  return type.flags & ts.TypeFlags.Object ? convertNamed(known, type) : {};
}
