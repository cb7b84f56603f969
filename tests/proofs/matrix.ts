import { newId } from '#kit/ids.ts';
import type { HouseInTest } from '#tests/support/house.ts';
import type { Subject } from '#wire/promise.ts';
import { bodyOf, needsMore } from './matrix-bodies.ts';
import {
  askThrough,
  type Door,
  doors,
  listRows,
  type MatrixRow,
  type Spelling,
  spellingNames,
} from './matrix-doors.ts';
import { type Asker, canaries, makeWorld, type Things, type World } from './matrix-world.ts';

export interface MatrixResult {
  requests: number;
  leaks: string[];
  falseDenials: string[];
  bugs: string[];
  /** Denied cells that never reached an authorization, only the check of their shape. */
  untested: string[];
}

const somebodys = ['A', 'B'] as const;
const nobodys = ['unknown', 'malformed', 'other kind', 'upper case'] as const;
export type Whose = (typeof somebodys)[number] | (typeof nobodys)[number] | 'ended';

/** The things that a cell names: somebody's, nobody's, or what is no id at all. */
export function thingsOf(world: World, whose: Whose, { endedVisit }: Pick<Asker, 'endedVisit'>): Things {
  const { things } = world.a;
  if (whose === 'A') return things;
  if (whose === 'ended') return { ...things, visit: endedVisit ?? things.visit };
  if (whose === 'B') return world.b.things;
  const entries = Object.entries(things).map(([noun, id]) => {
    if (whose === 'unknown')
      return [noun, noun === 'slug' ? 'unknownunknownunknown1' : newId(world.house.engines.clock())];
    if (whose === 'malformed') return [noun, "' or 1=1 --"];
    if (whose === 'upper case') return [noun, id.toUpperCase()];
    return [noun, noun === 'album' ? things.link : things.album];
  });
  return Object.fromEntries(entries) as unknown as Things;
}

/** What must come of a cell, from the contract's words and who asks; never from the handler. */
function isAllowed({ meta }: MatrixRow, asker: Asker, whose: Whose): boolean {
  const isForEverybody = meta.who.includes('visitor');
  if (isForEverybody && meta.subject === 'none') return true;
  if (meta.who.includes('viewer') && meta.subject === 'visit')
    return asker.visits !== undefined && asker.visits === whose;
  if (asker.may === 'visitor') return false;
  if (meta.needsPlan === true && asker.may !== 'creator') return false;
  return meta.subject === 'none' || asker.owns === whose;
}

const refusedStatuses = new Set([401, 403, 404, 409, 410, 413, 415, 422, 429]);

/**
 * Every table with a hash of all its rows: a refused call must not change one, of whomever. Only the visit of somebody whose right
 * has ended may end itself with the call that is refused for it.
 */
async function fingerprint({ house, askers }: World): Promise<Record<string, string>> {
  const ended = askers.flatMap(({ endedVisit }) => endedVisit ?? []);
  const hashes: Record<string, string> = {};
  await house.engines.database.work({ kind: 'system' }, async ({ client }) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and relname <> 'schema_migrations' order by 1`,
    );
    for (const { name } of tables) {
      const hashed = `select coalesce(md5(string_agg(t::text, '|' order by t::text collate "C")), '') as hash from ${name} t
        where not ('${name}' = 'viewer_sessions' and to_jsonb(t)->>'id' = any($1))`;
      hashes[name] = (await client.query<{ hash: string }>(hashed, [ended])).rows[0]?.hash ?? '';
    }
  });
  return hashes;
}

/** Names of the other side that must not be in an answer. */
const foreignCanaries = (asker: Asker): string[] =>
  asker.owns === 'A' ? [canaries.B] : asker.owns === 'B' ? [canaries.A] : [canaries.A, canaries.B];

/** One call of the matrix. */
interface Cell {
  row: MatrixRow;
  asker: Asker;
  whose: Whose;
  door: Door;
  things: Things;
  spelling?: Spelling;
}
const nameOf = ({ row, asker, whose, door, spelling }: Cell) =>
  `${row.name} as ${asker.name} on ${whose} by ${door}${spelling === undefined ? '' : `, ${spelling}`}`;

class Run {
  readonly result: MatrixResult = { requests: 0, leaks: [], falseDenials: [], bugs: [], untested: [] };
  readonly #reached = new Map<string, boolean>();
  readonly #house: HouseInTest;

  constructor(house: HouseInTest) {
    this.#house = house;
  }

  /** One call, and what must not be in any answer. */
  async #ask({ row, asker, door, spelling, things }: Cell, cell: string) {
    const browser = { ...asker.browser, cookies: new Map(asker.browser.cookies) };
    const answer = await askThrough(this.#house, door, row, bodyOf(row.name, things), browser, spelling);
    const text = JSON.stringify(answer.body ?? null) + JSON.stringify(answer.headers);
    this.result.requests++;
    if (answer.status >= 500) this.result.bugs.push(`${cell}: ${answer.status}`);
    for (const canary of foreignCanaries(asker)) if (text.includes(canary)) this.result.leaks.push(`${cell}: a canary`);
    const code = answer.body?.json?.code ?? answer.body?.code;
    return { status: answer.status, code, isFine: answer.status >= 200 && answer.status < 300, text };
  }

  async allowed(question: Cell): Promise<void> {
    const cell = nameOf(question);
    const { isFine, status, code, text } = await this.#ask(question, cell);
    if (!isFine && needsMore[question.row.name]?.includes(code) !== true)
      this.result.falseDenials.push(`${cell}: ${status} ${text.slice(0, 160)}`);
  }

  async denied(question: Cell): Promise<void> {
    const { row, asker, door, spelling } = question;
    const cell = nameOf(question);
    const { isFine, status } = await this.#ask(question, cell);
    if (isFine && row.meta.neutral !== true) this.result.leaks.push(`${cell}: ${status}`);
    if (!isFine && !refusedStatuses.has(status)) this.result.bugs.push(`${cell}: ${status}`);
    if (spelling !== undefined) return;
    const key = `${row.name} as ${asker.name} by ${door}`;
    this.#reached.set(key, (this.#reached.get(key) ?? false) || (status !== 422 && status !== 400));
  }

  finish(): MatrixResult {
    for (const [key, reached] of this.#reached) if (!reached) this.result.untested.push(key);
    return this.result;
  }
}

/** The owner's own id in capitals is still hers: PostgreSQL reads both. */
const isOwnSpelling = (asker: Asker, whose: Whose) =>
  whose === 'upper case' && (asker.owns === 'A' || asker.visits === 'A');

/** Cells that would end the asker's own session or account spend it: they are asked by nobody but strangers. */
const spends = new Set(['accounts.signOut', 'accounts.signOutEverywhere']);

/** How thoroughly: the short form asks through the second door, of nobody's ids and in other spellings by turns. */
export interface Depth {
  isFull: boolean;
  /** Default: every procedure. */
  rows?: readonly MatrixRow[];
  /** Changes what the matrix believes about the world, which it must then find to be wrong. */
  plant?: (world: World) => void;
}

interface Who {
  row: MatrixRow;
  asker: Asker;
  isFull: boolean;
  /** A running number, by which the short form takes turns. */
  turn: number;
}
const pick = <T>(all: readonly T[], turn: number): T => all[turn % all.length] as T;

/** The cells of one procedure and one asker that must be refused. */
function* deniedCells(world: World, { row, asker, isFull, turn }: Who): Generator<Cell> {
  const isRefused = (whose: Whose) => !isAllowed(row, asker, whose) && !isOwnSpelling(asker, whose);
  const cell = (whose: Whose, door: Door) => ({ row, asker, whose, door, things: thingsOf(world, whose, asker) });
  const hasEnded = asker.endedVisit !== undefined && row.meta.subject === 'visit';
  const asked: Whose[] = [
    ...somebodys,
    ...(isFull ? nobodys : [pick(nobodys, turn)]),
    ...(hasEnded ? ['ended' as const] : []),
  ];
  const refused = asked.filter(isRefused);
  for (const whose of refused) yield cell(whose, 'rpc');
  const byRest = isFull
    ? refused
    : refused.filter((whose) => whose === 'ended' || whose === 'A' || whose === 'B').slice(0, 1);
  for (const whose of byRest) yield cell(whose, 'rest');
  if (refused.length > 0 && isFull)
    for (const [n, door] of doors.entries())
      for (const [m, whose] of somebodys.filter(isRefused).entries())
        yield { ...cell(whose, door), spelling: pick(spellingNames, turn + 3 * n + 5 * m) };
}

/**
 * Asks every procedure as everybody about everything: what is allowed must work, what is not must leave no trace.
 */
export async function runMatrix(
  house: HouseInTest,
  { isFull, rows: all = listRows(), plant }: Depth,
): Promise<MatrixResult> {
  const world = await makeWorld(house);
  plant?.(world);
  const run = new Run(house);
  const rows = all.filter(({ name }) => !spends.has(name));
  const asked = rows.flatMap((row, n) => world.askers.map((asker, m) => ({ row, asker, isFull, turn: n + m })));
  const before = await fingerprint(world);
  for (const who of asked) for (const cell of deniedCells(world, who)) await run.denied(cell);
  for (const [table, hash] of Object.entries(await fingerprint(world)))
    if (hash !== before[table]) run.result.leaks.push(`a refused call changed a row of ${table}`);
  for (const who of asked) await askAllowed(run, world, who);
  return run.finish();
}

/** Asks what must work, each time about things that nobody has spent yet. */
async function askAllowed(run: Run, world: World, who: Who): Promise<void> {
  const { row, asker, isFull, turn } = who;
  const { subject } = row.meta;
  for (const whose of subjectsOf(subject, asker).filter((kind) => isAllowed(row, asker, kind)))
    for (const door of isFull ? doors : [pick(doors, turn)]) {
      const things = subject === 'none' ? world.a.things : await world.fresh(whose, subject === 'session');
      await run.allowed({ row, asker, whose, door, things });
    }
}

const subjectsOf = (subject: Subject, asker: Asker): readonly ('A' | 'B')[] =>
  subject === 'none' ? ['A'] : somebodys.filter((whose) => asker.owns === whose || asker.visits === whose);
