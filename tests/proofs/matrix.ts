import type { TestApp } from '#tests/support/test-app.ts';
import { askAllowed, askSpending, isSpending, pick, type Who } from './matrix-allowed.ts';
import { type Cell, isAllowed, nobodys, somebodys, thingsOf, type Whose } from './matrix-cells.ts';
import { type Door, doors, hasIdInPath, listRows, type MatrixRow, spellingNames } from './matrix-doors.ts';
import { type MatrixResult, Run } from './matrix-run.ts';
import { type Asker, makeWorld, type World } from './matrix-world.ts';

/**
 * Every table with a hash of all its rows: a refused call must not change one, of whomever. Only the visit of somebody whose right
 * has ended may end itself with the call that is refused for it.
 */
export async function fingerprint({ app, askers }: Pick<World, 'app' | 'askers'>): Promise<Record<string, string>> {
  const ended = askers.flatMap(({ endedVisit }) => endedVisit ?? []);
  const hashes: Record<string, string> = {};
  await app.engines.database.work({ kind: 'system' }, async ({ client }) => {
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

/** Her own ids in capitals are hers: that they work is asked where her own are. */
const isOwnCapitals = (asker: Asker, whose: Whose) =>
  whose === 'upper case' && (asker.owns === 'A' || asker.visits === 'A');

/** How thoroughly: the short form asks through the second door, of nobody's ids and in other spellings by turns. */
export interface Depth {
  isFull: boolean;
  /** Default: every procedure. */
  rows?: readonly MatrixRow[];
  /** Changes what the matrix believes about the world, which it must then find to be wrong. */
  plant?: (world: World) => void;
}

/** The cells of one procedure and one asker that must be refused. */
function* deniedCells(world: World, { row, asker, isFull, turn }: Who): Generator<Cell> {
  const isRefused = (whose: Whose) => !isAllowed(row, asker, whose) && !isOwnCapitals(asker, whose);
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
  if (isFull) yield* speltCells(turn, somebodys.filter(isRefused), cell);
}

/** The same addresses in two other spellings each. */
function* speltCells(
  turn: number,
  refused: readonly Whose[],
  cell: (whose: Whose, door: Door) => Cell,
): Generator<Cell> {
  for (const [n, door] of doors.entries())
    for (const [m, whose] of refused.entries())
      for (const step of [0, 7])
        yield { ...cell(whose, door), spelling: pick(spellingNames, turn + 3 * n + 5 * m + step) };
}

/** The other's things in the path, and one's own beside: one's own open nothing of the other's. */
function* twiceCells(world: World, { row, asker, isWhole }: Who): Generator<Cell> {
  if (!isWhole || row.meta.subject === 'none' || !hasIdInPath(row)) return;
  const own = somebodys.find((whose) => isAllowed(row, asker, whose));
  if (own === undefined) return;
  const beside = thingsOf(world, own, asker);
  for (const whose of somebodys.filter((other) => other !== own))
    yield { row, asker, whose, door: 'rest', things: thingsOf(world, whose, asker), beside };
}

/** Every procedure with everybody who asks it. */
function listAsked({ askers }: World, rows: readonly MatrixRow[], isFull: boolean): Who[] {
  return rows.flatMap((row, n) => {
    const owners = askers.filter((asker) => somebodys.some((whose) => isAllowed(row, asker, whose)));
    return askers.map((asker, m) => ({
      row,
      asker,
      isFull,
      turn: n + m,
      isWhole: isFull || pick(owners, n) === asker,
    }));
  });
}

/**
 * Asks every procedure as everybody about everything: what is allowed must work, what is not must leave no trace.
 */
export async function runMatrix(app: TestApp, { isFull, rows = listRows(), plant }: Depth): Promise<MatrixResult> {
  const world = await makeWorld(app);
  plant?.(world);
  const run = new Run(app);
  const asked = listAsked(world, rows, isFull);
  const before = await fingerprint(world);
  for (const who of asked)
    for (const cell of [...deniedCells(world, who), ...twiceCells(world, who)]) await run.denied(cell);
  for (const [table, hash] of Object.entries(await fingerprint(world)))
    if (hash !== before[table]) run.result.leaks.push(`a refused call changed a row of ${table}`);
  for (const who of asked.filter(({ row }) => !isSpending(row))) await askAllowed(run, world, who);
  for (const { row, asker } of asked.filter(({ row }) => isSpending(row))) await askSpending(run, world, row, asker);
  return run.finish();
}
