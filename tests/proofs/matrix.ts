import { createHash } from 'node:crypto';
import { type AnyContractProcedure, isContractProcedure } from '@orpc/contract';
import { traverseContractProcedures } from '@orpc/server';
import { router } from '#app/rooms.ts';
import { newId } from '#kit/ids.ts';
import type { HouseInTest } from '#tests/support/house.ts';
import type { ProcedureMeta, Subject } from '#wire/promise.ts';
import { bodyOf, needsMore } from './matrix-bodies.ts';
import { type Asker, canaries, makeWorld, type Things, type World } from './matrix-world.ts';

/** One procedure as its own contract declares it. */
export interface MatrixRow {
  /** `links.create` */
  name: string;
  meta: ProcedureMeta;
}

/** Every procedure of the product; nothing is listed by hand. */
export function listRows(): MatrixRow[] {
  const rows: MatrixRow[] = [];
  traverseContractProcedures({ router, path: [] }, ({ contract, path }) => {
    if (!isContractProcedure(contract)) return;
    const { meta } = (contract as AnyContractProcedure)['~orpc'];
    rows.push({ name: path.join('.'), meta: meta as ProcedureMeta });
  });
  return rows;
}

export interface MatrixResult {
  requests: number;
  leaks: string[];
  falseDenials: string[];
  bugs: string[];
  /** Denied cells that never reached an authorization, only the check of their shape. */
  untested: string[];
}

type Whose = 'A' | 'B' | 'unknown' | 'malformed' | 'other kind' | 'upper case';
const kinds: readonly Whose[] = ['A', 'B', 'unknown', 'malformed', 'other kind', 'upper case'];

/** The things that a cell names: somebody's, nobody's, or what is no id at all. */
function thingsOf(world: World, whose: Whose): Things {
  const { things } = world.a;
  if (whose === 'A') return things;
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

/** A row hash of everything that A and B have: a refused call must not change it. */
async function fingerprint({ house }: World): Promise<string> {
  const tables = [
    'albums',
    'album_items',
    'media',
    'packs',
    'magic_links',
    'link_albums',
    'link_policy_log',
    'grants',
    'link_viewers',
    'uploads',
    'viewer_aliases',
    'viewer_blocks',
    'codeword_log',
    'users',
  ];
  const hash = createHash('sha256');
  await house.engines.database.work({ kind: 'system' }, async ({ client }) => {
    for (const table of tables)
      hash.update(JSON.stringify((await client.query(`select * from ${table} order by 1, 2`)).rows));
  });
  return hash.digest('hex');
}

/** Names of the other side that must not be in an answer. */
const foreignCanaries = (asker: Asker): string[] =>
  asker.owns === 'A' ? [canaries.B] : asker.owns === 'B' ? [canaries.A] : [canaries.A, canaries.B];

class Run {
  readonly result: MatrixResult = { requests: 0, leaks: [], falseDenials: [], bugs: [], untested: [] };
  readonly #reached = new Map<string, boolean>();
  readonly #house: HouseInTest;

  constructor(house: HouseInTest) {
    this.#house = house;
  }

  /** One call, and what must not be in any answer. */
  async #ask(cell: string, name: string, asker: Asker, things: Things) {
    const browser = { ...asker.browser, cookies: new Map(asker.browser.cookies) };
    const answer = await this.#house.call(name, bodyOf(name, things), browser);
    const text = JSON.stringify(answer.body ?? null) + JSON.stringify(answer.headers);
    this.result.requests++;
    if (answer.status >= 500) this.result.bugs.push(`${cell}: ${answer.status}`);
    for (const canary of foreignCanaries(asker)) if (text.includes(canary)) this.result.leaks.push(`${cell}: a canary`);
    return { status: answer.status, isFine: answer.status >= 200 && answer.status < 300, text };
  }

  async allowed({ name }: MatrixRow, asker: Asker, whose: Whose, things: Things): Promise<void> {
    const cell = `${name} as ${asker.name} on ${whose}`;
    const { isFine, status, text } = await this.#ask(cell, name, asker, things);
    if (!isFine && !needsMore.has(name)) this.result.falseDenials.push(`${cell}: ${status} ${text.slice(0, 160)}`);
  }

  async denied({ name, meta }: MatrixRow, asker: Asker, whose: Whose, things: Things): Promise<void> {
    const cell = `${name} as ${asker.name} on ${whose}`;
    const { isFine, status } = await this.#ask(cell, name, asker, things);
    if (isFine && meta.neutral !== true) this.result.leaks.push(`${cell}: ${status}`);
    if (!isFine && !refusedStatuses.has(status)) this.result.bugs.push(`${cell}: ${status}`);
    const key = `${name} as ${asker.name}`;
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

/**
 * Asks every procedure as everybody about everything: what is allowed must work, what is not must leave no trace.
 */
export async function runMatrix(house: HouseInTest): Promise<MatrixResult> {
  const world = await makeWorld(house);
  const run = new Run(house);
  const rows = listRows().filter(({ name }) => !spends.has(name));
  const asked = rows.flatMap((row) => world.askers.map((asker) => ({ row, asker })));
  const before = await fingerprint(world);
  for (const { row, asker } of asked)
    for (const whose of kinds.filter((kind) => !isAllowed(row, asker, kind) && !isOwnSpelling(asker, kind)))
      await run.denied(row, asker, whose, thingsOf(world, whose));
  if ((await fingerprint(world)) !== before) run.result.leaks.push('a refused call changed a row');
  for (const { row, asker } of asked)
    for (const whose of subjectsOf(row.meta.subject, asker).filter((kind) => isAllowed(row, asker, kind)))
      await run.allowed(row, asker, whose, row.meta.subject === 'none' ? world.a.things : await world.fresh(whose));
  return run.finish();
}

const subjectsOf = (subject: Subject, asker: Asker): readonly ('A' | 'B')[] =>
  subject === 'none'
    ? (['A'] as const)
    : (['A', 'B'] as const).filter((whose) => asker.owns === whose || asker.visits === whose);
