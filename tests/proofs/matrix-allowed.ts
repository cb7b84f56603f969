import { readRows } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { type Cell, isAllowed, nameOf, somebodys, subjectsOf } from './matrix-cells.ts';
import { doors, hasIdInPath, type MatrixRow } from './matrix-doors.ts';
import type { Run } from './matrix-run.ts';
import type { Asker, Things, World } from './matrix-world.ts';
import { hashRows } from './mixed-nouns.ts';

/** One procedure and one asker. */
export interface Who {
  row: MatrixRow;
  asker: Asker;
  isFull: boolean;
  /** A running number, by which the short form takes turns. */
  turn: number;
  /** Asked also in ways in which the short form asks one owner of each procedure only. */
  isWhole: boolean;
}
export const pick = <T>(all: readonly T[], turn: number): T => all[turn % all.length] as T;

/** Asks what must work, each time about things that nobody has spent yet. */
export async function askAllowed(run: Run, world: World, who: Who): Promise<void> {
  const { row, asker, isFull, turn, isWhole } = who;
  const { subject } = row.meta;
  const fresh = (whose: 'A' | 'B') => world.fresh(whose, subject === 'session');
  for (const whose of subjectsOf(subject, asker).filter((kind) => isAllowed(row, asker, kind)))
    for (const door of isFull ? doors : [pick(doors, turn)]) {
      const cell = { row, asker, door };
      if (subject === 'none') {
        await run.allowed({ ...cell, whose, things: world.a.things });
        continue;
      }
      await run.allowed({ ...cell, whose, things: await fresh(whose) });
      if (!isWhole) continue;
      await run.allowed({ ...cell, whose: `${whose} in capitals`, things: inCapitals(await fresh(whose)) });
      if (hasIdInPath(row)) await askTwice(run, world, { ...cell, whose, door: 'rest', things: await fresh(whose) });
    }
}

/** Whoever writes her own ids in capitals means the same things. */
const inCapitals = (things: Things): Things =>
  Object.fromEntries(Object.entries(things).map(([noun, id]) => [noun, id.toUpperCase()])) as unknown as Things;

/** Her own things in the path, and the other's beside: the path counts, and no row of the other's changes. */
async function askTwice(run: Run, world: World, cell: Cell): Promise<void> {
  const beside = somebodys.filter((other) => other !== cell.whose).map((other) => sideOf(world, other).things);
  for (const things of beside) {
    const ids = Object.values(things);
    const before = await hashRows(world.app, ids);
    const question = { ...cell, beside: things };
    await run.allowed(question);
    for (const [table, hash] of await hashRows(world.app, ids))
      if (hash !== before.get(table)) run.result.leaks.push(`${nameOf(question)}: a row of ${table}`);
  }
}
const sideOf = ({ a, b }: World, whose: 'A' | 'B') => (whose === 'A' ? a : b);

/** Calls that end sessions of the asker: which of hers. */
const spends: Readonly<Record<string, 'this one' | 'all'>> = {
  'accounts.signOut': 'this one',
  'accounts.signOutEverywhere': 'all',
};
export const isSpending = ({ name }: MatrixRow): boolean => name in spends;

/** Every session that there is, and whose. */
async function listSessions(app: TestApp): Promise<Map<string, string>> {
  const rows = await readRows(app, 'select id, user_id from auth_sessions');
  return new Map(rows.map(({ id, user_id }) => [String(id), String(user_id)]));
}

/**
 * Asks what ends sessions, each time in a browser that has just been signed in: what it must end is over then, and nothing else.
 * A stranger ends nothing, whatever cookie is forged.
 */
export async function askSpending(run: Run, world: World, row: MatrixRow, asker: Asker): Promise<void> {
  if (!isAllowed(row, asker, 'A')) return;
  const { app } = world;
  for (const door of doors) {
    const earlier = await listSessions(app);
    const browser = (await asker.signIn?.()) ?? asker.browser;
    const before = await listSessions(app);
    const cell: Cell = { row, asker: { ...asker, browser }, whose: 'A', door, things: world.a.things };
    await run.allowed(cell);
    const after = await listSessions(app);
    const own = [...before].find(([id]) => !earlier.has(id));
    const mustEnd = ([id, userId]: [string, string]) =>
      own !== undefined && (spends[row.name] === 'all' ? userId === own[1] : id === own[0]);
    for (const session of before) {
      const hasEnded = !after.has(session[0]);
      if (hasEnded && !mustEnd(session)) run.result.leaks.push(`${nameOf(cell)}: a session that it is not about`);
      if (!hasEnded && mustEnd(session)) run.result.leaks.push(`${nameOf(cell)}: a session goes on`);
    }
  }
}
