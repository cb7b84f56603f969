import type { Browser, TestApp } from '#tests/support/test-app.ts';
import { askThrough, doors, listRows, type MatrixRow } from './matrix-doors.ts';
import {
  type Choice,
  listChoices,
  type Mixed,
  type MixedThings,
  mix,
  type Place,
  placesOf,
  spellPlace,
  widestBodyOf,
} from './mixed-bodies.ts';
import { rawQuestions } from './mixed-raw.ts';
import type { Side } from './mixed-sides.ts';

export interface MixedResult {
  requests: number;
  /** The other's rows changed, or an answer held something of the other's. */
  leaks: string[];
  bugs: string[];
  /** Not even one's own things came through: what was refused with mixed ones may have been refused for that. */
  untested: string[];
}

/** Says which of the ids sent it did not take: those alone may be named. */
const echoes = new Set(['albums.restoreItems']);

/** What must have been done to things before a call about them can come through. */
const before: Record<string, (things: MixedThings) => [procedure: string, input: object]> = {
  'links.undoRevoke': ({ link }) => ['links.revoke', { linkIds: [link] }],
  'albums.restoreItems': ({ album, medium }) => ['albums.deleteItems', { albumId: album, mediaIds: [medium] }],
};

const typed = (app: TestApp, row: MatrixRow): Mixed => ({
  name: row.name,
  isViewers: row.meta.who.includes('viewer'),
  isSwappedWhole: row.meta.subject !== 'none',
  bodyOf: (things) => widestBodyOf(row.name, things),
  async ask(body, browser, turn) {
    const own = { ...browser, cookies: new Map(browser.cookies) };
    const { status, body: said, headers } = await askThrough(app, doors[turn % doors.length] ?? 'rpc', row, body, own);
    return { status, text: JSON.stringify([said ?? null, headers]) };
  },
});

/** Rows that name one of the ids, as one hash a table. */
export async function hashRows({ engines }: TestApp, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await engines.database.work({ kind: 'system' }, async ({ client }) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not relispartition and relname <> 'schema_migrations'`,
    );
    const hashes = tables.map(
      ({
        name,
      }) => `select '${name}' as name, coalesce(md5(string_agg(t::text, '|' order by t::text collate "C")), '') as hash
        from ${name} t where t::text like any($1)`,
    );
    return (
      await client.query<{ name: string; hash: string }>(hashes.join(' union all '), [ids.map((id) => `%${id}%`)])
    ).rows;
  });
  return new Map(rows.map(({ name, hash }) => [name, hash]));
}

/** The rows that name one of these ids, as they were when they were last looked at. */
interface Rows {
  ids: readonly string[];
  hashes: ReadonlyMap<string, string>;
}

/** @returns the tables of which such a row has come, gone or changed since the last look */
async function listChanged(app: TestApp, rows: Rows): Promise<string[]> {
  const before = rows.hashes;
  rows.hashes = await hashRows(app, rows.ids);
  return [...rows.hashes].flatMap(([table, hash]) => (hash === before.get(table) ? [] : [table]));
}

/** Every procedure and raw route that takes ids of two things, or of things beside the one that the matrix swaps. */
export const listMixed = (app: TestApp, url: string): Mixed[] =>
  [...listRows().map((row) => typed(app, row)), ...rawQuestions(url, app.engines.installation.publicUrl)].filter(
    ({ bodyOf, isSwappedWhole }) => choicesOf(placesOf(bodyOf), isSwappedWhole).length > 0,
  );

/** All of them the other's is what the matrix asks. */
const choicesOf = (places: readonly Place[], isSwappedWhole: boolean): Choice[][] =>
  listChoices(places).filter((chosen) => !isSwappedWhole || chosen.some((choice) => choice !== 'foreign'));

const nameOf = ({ name }: Mixed, side: Side, places: readonly Place[], chosen: readonly Choice[]) =>
  `${name} as ${side.name}, ${places.map((place, n) => `${spellPlace(place)} ${chosen[n]}`).join(', ')}`;

interface Run {
  app: TestApp;
  result: MixedResult;
  isFull: boolean;
}

/**
 * Asks with some of the ids one's own and the others somebody else's, in every way: no row of the other's may change, and
 * no answer may hold an id, a name or a key of the other's.
 */
export async function runMixed(
  app: TestApp,
  questions: readonly Mixed[],
  sides: readonly Side[],
  { isFull }: { isFull: boolean },
): Promise<MixedResult> {
  const result: MixedResult = { requests: 0, leaks: [], bugs: [], untested: [] };
  for (const side of sides)
    for (const question of questions.filter(({ isViewers }) => isViewers === side.isViewers))
      await askQuestion({ app, result, isFull }, side, question);
  return result;
}

/** Asks one question in every mixture, and at the end with nothing but one's own things, which must come through. */
async function askQuestion({ app, result, isFull }: Run, side: Side, question: Mixed): Promise<void> {
  const prepare = async (things: MixedThings, browser: Browser) => {
    const call = before[question.name]?.(things);
    if (call !== undefined) await app.call(...call, browser);
    return things;
  };
  const isPrepared = question.name in before;
  const foreign = isPrepared ? await prepare(await side.moreForeign(), side.foreignBrowser) : side.foreign;
  const rows: Rows = { ids: await side.idsOf(foreign), hashes: new Map() };
  await listChanged(app, rows);
  const places = placesOf(question.bodyOf);
  let own = await prepare(await side.own(), side.browser);
  for (const [n, chosen] of choicesOf(places, question.isSwappedWhole).entries())
    for (const door of isFull && question.hasDoors !== false ? doors.keys() : [n]) {
      const body = mix(question.bodyOf(own), question.bodyOf(foreign), places, chosen);
      const name = nameOf(question, side, places, chosen);
      const isFine = await askOne({ app, result, isFull }, { question, side, rows, body, name, door });
      if (isFine) own = await prepare(await side.own(), side.browser);
    }
  const { status } = await question.ask(question.bodyOf(own), side.browser, 0);
  if (!isGiven(status)) result.untested.push(`${question.name} as ${side.name}: ${status}`);
}

const isGiven = (status: number) => status >= 200 && status < 300;

interface Cell {
  question: Mixed;
  side: Side;
  rows: Rows;
  body: object;
  name: string;
  door: number;
}

/** @returns whether something was given or done, so that the own things are spent */
async function askOne({ app, result }: Run, { question, side, rows, body, name, door }: Cell): Promise<boolean> {
  const { status, text } = await question.ask(body, side.browser, door);
  result.requests++;
  for (const table of await listChanged(app, rows)) result.leaks.push(`${name}: a row of ${table}`);
  if (status >= 500) result.bugs.push(`${name}: ${status}`);
  if (side.canary !== undefined && text.includes(side.canary)) result.leaks.push(`${name}: a canary`);
  if (!isGiven(status)) return false;
  if (question.isRefused === true) result.leaks.push(`${name}: ${status}`);
  const sent = echoes.has(question.name) ? JSON.stringify(body) : '';
  if (rows.ids.some((id) => text.includes(id) && !sent.includes(id)))
    result.leaks.push(`${name}: ${status} with an id`);
  return true;
}
