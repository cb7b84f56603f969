import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { openLog } from '#app/log.ts';
import { readRows } from '#tests/support/people.ts';
import { headersOf, type TestApp } from '#tests/support/test-app.ts';
import { type Canary, nobody, type Search } from './canary-search.ts';
import type { CanaryWorld } from './canary-world.ts';
import type { Asker } from './matrix-world.ts';

/** The log of an installation as an installation writes it, line by line. */
export function openHeardLog() {
  const lines: string[] = [];
  return { lines, log: openLog('info', { write: (line: string) => void lines.push(line) }) };
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

/** Every letter, as whoever it goes to reads it. */
export async function searchLetters(
  { app, a, b }: CanaryWorld,
  search: Search,
): Promise<{ letters: number; found: string[] }> {
  const letters = await readRows(app, 'select user_id, recipient, subject, body_text from mail_outbox');
  const emailOf = (whose: Canary['of']) =>
    search.canaries.find(({ place, of }) => place === 'users.email' && of === whose)?.secret;
  const found = letters.flatMap(({ user_id: userId, recipient, subject, body_text: text }) => {
    const to = [
      ['A', a.person.userId],
      ['B', b.person.userId],
    ] as const;
    const owns = to.find(([whose, id]) => id === userId && recipient === emailOf(whose))?.[0];
    return search
      .leaksIn(`${subject}\n${text}`, { owns, visits: undefined })
      .map((leak) => `${leak} in a letter to ${owns ?? 'somebody else'}`);
  });
  return { letters: letters.length, found: [...new Set(found)] };
}

/** A browser's news, whole, as they came. */
export interface News {
  asker: Asker;
  text: string;
}

/** Opens the lines on which askers hear news; one that ends is opened again until it is refused. */
export async function listen(
  { viewerApi }: CanaryWorld,
  askers: readonly (readonly [asker: Asker, address: string])[],
): Promise<{ news: News[]; close(): void }> {
  const cut = new AbortController();
  const open = ({ browser }: Asker, address: string) =>
    fetch(`${viewerApi.url}${address}`, { headers: headersOf(browser) as Record<string, string>, signal: cut.signal });
  const follow = async (heard: News, address: string, first: Response) => {
    for (let answer = first; answer.status === 200; answer = await open(heard.asker, address))
      for await (const chunk of answer.body ?? []) heard.text += Buffer.from(chunk).toString();
  };
  const news = await Promise.all(
    askers.map(async ([asker, address]) => {
      const heard: News = { asker, text: '' };
      const answer = await open(asker, address);
      if (answer.status !== 200) throw new Error(`${asker.name} hears no news: ${answer.status}`);
      follow(heard, address, answer).catch(() => undefined); // it is cut when the drill is over
      return heard;
    }),
  );
  return { news, close: () => cut.abort() };
}

export const searchNews = (news: readonly News[], search: Search): string[] =>
  news.flatMap(({ asker, text }) => search.leaksIn(text, asker).map((leak) => `${leak} in the news of ${asker.name}`));

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
  const tables = await readRows(
    app,
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and relname <> 'schema_migrations'`,
  );
  const found: string[] = [];
  for (const { name } of tables)
    for (const word of words) {
      const rows = await readRows(app, `select 1 from ${name} t where strpos(to_jsonb(t)::text, $1) > 0 limit 1`, [
        word,
      ]);
      if (rows.length > 0) found.push(`${word} in a row of ${name}`);
    }
  return found;
}
