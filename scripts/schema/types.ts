import type { Catalogue, Column, Table } from './catalogue.ts';

/** What the driver hands out, with the parsers that engines/database sets. */
const typesOf: Record<string, string> = {
  bigint: 'number',
  boolean: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  'double precision': 'number',
  integer: 'number',
  int4multirange: 'string',
  int8multirange: 'string',
  json: 'unknown',
  jsonb: 'unknown',
  numeric: 'string',
  real: 'number',
  smallint: 'number',
  text: 'string',
  'timestamp with time zone': 'Date',
  uuid: 'string',
  xid8: 'string',
};

/**
 * src/engines/database/tables.ts: one interface for each table, so that a query that does not fit the schema does not compile.
 * @throws when a column has a type that is not listed above.
 */
export function writeTypes({ tables }: Catalogue): string {
  const body = tables.map(writeTable).join('\n');
  const used = ['ColumnType', 'Generated', 'GeneratedAlways'].filter((name) => body.includes(`${name}<`));
  return [
    '// Written by `npm run db:schema` from the migrations, compared by `npm run db:check`.',
    `import type { ${used.join(', ')} } from 'kysely';\n`,
    body,
    '/** Every table by its name. */',
    'export interface Tables {',
    ...tables.map(({ name }) => `  ${name}: ${interfaceOf(name)};`),
    '}\n',
  ].join('\n');
}

function writeTable(table: Table): string {
  const lines = table.columns.map((column) => `  ${column.name}: ${typeOf(column, table)};`);
  return `export interface ${interfaceOf(table.name)} {\n${lines.join('\n')}\n}\n`;
}

function interfaceOf(table: string): string {
  const words = table.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Table`;
}

function typeOf(column: Column, table: Table): string {
  const { type, made, isRequired } = column;
  const single = typesOf[type.replace(/\[\]$/, '').replace(/\(.*\)$/, '')];
  if (!single) throw new Error(`${table.name}.${column.name} is ${type}: say in scripts/schema/types.ts what that is.`);
  const words = single === 'string' ? allowedWords(column.name, table) : undefined;
  if (single === 'unknown') return jsonOf(column);
  const one = words?.map((word) => `'${word}'`).join(' | ') ?? single;
  const many = type.endsWith('[]') ? `${words && words.length > 1 ? `(${one})` : one}[]` : one;
  const whole = isRequired ? many : `${many} | null`;
  if (made === 'by hand') return whole;
  return made.startsWith('always') ? `GeneratedAlways<${whole}>` : `Generated<${whole}>`;
}

/** JSON is read as something unknown, to be parsed; what is written is an object or finished text. */
function jsonOf({ isRequired, made }: Column): string {
  const written = isRequired ? 'object | string' : 'object | string | null';
  const inserted = isRequired && made === 'by hand' ? written : `${written} | undefined`;
  return `ColumnType<unknown, ${inserted}, ${written}>`;
}

/** The words of `check (column in ('a', 'b'))`, as PostgreSQL writes that condition back. */
function allowedWords(column: string, { constraints }: Table): string[] | undefined {
  for (const { definition } of constraints) {
    const [, list] = definition.match(new RegExp(`^CHECK \\(\\(${column} = (.+)\\)\\)$`)) ?? [];
    const words = [...(list?.matchAll(/'((?:[^']|'')*)'::text/g) ?? [])].map(([, word = '']) =>
      word.replaceAll("''", "\\'"),
    );
    const isOnlyWords = list && /^(ANY \(ARRAY\[)?('(?:[^']|'')*'::text(, )?)+(\]\))?$/.test(list);
    if (isOnlyWords) return words;
  }
  return undefined;
}
