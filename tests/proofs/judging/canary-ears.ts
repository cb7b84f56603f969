import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { openLog } from '#app/log.ts';
import { listTables } from '#tests/support/database/tables.ts';
import { readRows } from '#tests/support/people.ts';
import { headersOf, type TestApp } from '#tests/support/test-app.ts';
import type { Actor } from '../asking/actors.ts';
import { payerOf } from '../asking/make-order.ts';
import { askerOf } from '../asking/things.ts';
import type { World } from '../asking/world.ts';
import { type Canary, nobody, type Search } from './canary-search.ts';

/** The log of an application as an installation writes it, line by line. */
export function openHeardLog() {
  const lines: string[] = [];
  return { lines, log: openLog('debug', { write: (line: string) => void lines.push(line) }) };
}

/** What no line may hold, whoever's it is: an e-mail address, and an address of a network. */
const forbidden: Record<string, RegExp> = {
  'an e-mail': /[\w.+-]+(@|%40)[\w-]+\.[a-z]{2,}/i,
  'an address': /(?<![\w.])(\d{1,3}\.){3}\d{1,3}(?![\w.])|(?<![\w:])([0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4}/i,
};

/** What a log says that no log may say. */
export function searchLog(lines: readonly string[], search: Search): string[] {
  const found = lines.flatMap((line) => [
    ...search.leaksIn(line, nobody).map((leak) => `${leak} in the log`),
    ...Object.entries(forbidden).flatMap(([what, pattern]) => (pattern.test(line) ? [`${what} in the log`] : [])),
  ]);
  return [...new Set(found)];
}

/** Every email, as whoever it goes to reads it. */
export async function searchEmails({ app, a, b }: World, search: Search): Promise<{ emails: number; found: string[] }> {
  const emails = await readRows(app, 'select user_id, template, recipient, subject, body_text from mail_outbox');
  const requests = await readRows(
    app,
    `select r.requester_email as email, l.slug from album_access_requests r join magic_links l on l.id = r.link_id
     where r.requester_email is not null`,
  );
  const emailOf = (whose: Canary['of']) =>
    search.canaries.find(({ place, of }) => place === 'users.email' && of === whose)?.secret;
  const found = emails.flatMap(({ user_id: userId, template, recipient, subject, body_text: text }) => {
    const to = [
      ['A', a.person.userId],
      ['B', b.person.userId],
    ] as const;
    const owns = to.find(([whose, id]) => id === userId && recipient === emailOf(whose))?.[0];
    // A receipt says to whom it was paid, and an answer who gives it; nothing else of either.
    const paid = [a, b].find(({ things }) => recipient === payerOf(things.order))?.whose;
    const asked = [a, b].find(({ things }) => recipient === askerOf(things.request))?.whose;
    // The answer to a request for access says where it opens: the address of the link with which that very recipient asked.
    const answered = template === 'access_answered' ? requests.filter(({ email }) => email === recipient) : [];
    const question = answered.map(({ slug }) => slug).join(' ');
    const reported = [`checkout_orders.creator_name of ${paid}`, `custom_requests.creator_name of ${asked}`];
    return search
      .leaksIn(`${subject}\n${text}`, { owns, visits: undefined }, { question })
      .filter((leak) => !reported.includes(leak))
      .map((leak) => `${leak} in an email to ${owns ?? 'somebody else'}`);
  });
  return { emails: emails.length, found: [...new Set(found)] };
}

/** A browser's news, whole, as they came. */
export interface News {
  actor: Actor;
  text: string;
}

/** Opens the lines on which actors hear news; one that ends is opened again until it is refused. */
export async function listen(
  { viewerApi }: World,
  actors: readonly (readonly [actor: Actor, address: string])[],
): Promise<{ news: News[]; close(): void }> {
  const cut = new AbortController();
  const open = ({ browser }: Actor, address: string) =>
    fetch(`${viewerApi.url}${address}`, { headers: headersOf(browser) as Record<string, string>, signal: cut.signal });
  const follow = async (received: News, address: string, first: Response) => {
    for (let answer = first; answer.status === 200; answer = await open(received.actor, address))
      for await (const chunk of answer.body ?? []) received.text += Buffer.from(chunk).toString();
  };
  const news = await Promise.all(
    actors.map(async ([actor, address]) => {
      const received: News = { actor, text: '' };
      const answer = await open(actor, address);
      if (answer.status !== 200) throw new Error(`${actor.name} hears no news: ${answer.status}`);
      follow(received, address, answer).catch(() => undefined); // it is cut when the proof is over
      return received;
    }),
  );
  return { news, close: () => cut.abort() };
}

export const searchNews = (news: readonly News[], search: Search): string[] =>
  news.flatMap(({ actor, text }) => search.leaksIn(text, actor).map((leak) => `${leak} in the news of ${actor.name}`));

/** Built files that everybody may load: their text, and that none tells its source. */
export function searchFiles(folder: string, search: Search): { files: number; found: string[] } {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const found = names.flatMap(({ parentPath, name }) => {
    const text = readFileSync(path.join(parentPath, name), 'latin1');
    const isMap = name.endsWith('.map') || (/\.(js|css)$/.test(name) === true && /[#@] ?sourceMappingURL=/.test(text));
    return [
      ...(isMap ? [`the source of ${name}`] : []),
      ...search.leaksIn(text, nobody).map((leak) => `${leak} in ${name}`),
    ];
  });
  return { files: names.length, found };
}

/** Rows of all tables: an address of a network is in none. */
export async function searchRows(app: TestApp, words: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of await listTables(app))
    for (const word of words) {
      const rows = await readRows(app, `select 1 from ${name} t where strpos(to_jsonb(t)::text, $1) > 0 limit 1`, [
        word,
      ]);
      if (rows.length > 0) found.push(`${word} in a row of ${name}`);
    }
  return found;
}

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
