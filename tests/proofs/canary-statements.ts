import pg from 'pg';
import { nobody, type Search } from './canary-search.ts';

/** Text of statements as it goes over the line: what PostgreSQL logs and counts by. Values go beside it. */
export interface HeardStatements {
  texts: Set<string>;
  stop(): void;
}

/** Hears every statement that this process sends from now on; one that a connection has prepared is sent once. */
export function hearStatements(): HeardStatements {
  const texts = new Set<string>();
  const line = pg.Connection.prototype;
  const { query, parse } = line;
  line.query = function heard(text) {
    texts.add(text);
    return query.call(this, text);
  };
  line.parse = function heard(statement, more) {
    texts.add(statement?.text ?? '');
    return parse.call(this, statement, more);
  };
  return { texts, stop: () => void Object.assign(line, { query, parse }) };
}

/** Values of anybody inside a text, where logs and statistics of the database would keep them. */
export const searchStatements = ({ texts }: HeardStatements, search: Search): string[] =>
  [...texts].flatMap((text) => search.leaksIn(text, nobody).map((leak) => `${leak} in a statement`));
