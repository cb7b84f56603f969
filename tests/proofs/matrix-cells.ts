import { newId } from '#kit/ids.ts';
import type { Subject } from '#wire/promise.ts';
import type { Door, MatrixRow, Spelling } from './matrix-doors.ts';
import type { Asker, Things, World } from './matrix-world.ts';

export const somebodys = ['A', 'B'] as const;
export const nobodys = ['unknown', 'malformed', 'other kind', 'upper case'] as const;
export type Whose = (typeof somebodys)[number] | (typeof nobodys)[number] | 'ended';
/** Somebody's, with their ids in capitals. */
export type Capitals = `${(typeof somebodys)[number]} in capitals`;

/** The things that a cell names: somebody's, nobody's, or what is no id at all. */
export function thingsOf(world: World, whose: Whose, { endedVisit }: Pick<Asker, 'endedVisit'>): Things {
  const { things } = world.a;
  if (whose === 'A') return things;
  if (whose === 'ended') return { ...things, visit: endedVisit ?? things.visit };
  if (whose === 'B') return world.b.things;
  const entries = Object.entries(things).map(([noun, id]) => {
    if (whose === 'unknown')
      return [noun, noun === 'slug' ? 'unknownunknownunknown1' : newId(world.app.engines.clock())];
    if (whose === 'malformed') return [noun, "' or 1=1 --"];
    if (whose === 'upper case') return [noun, id.toUpperCase()];
    return [noun, noun === 'album' ? things.link : things.album];
  });
  return Object.fromEntries(entries) as unknown as Things;
}

/** What must come of a cell, from the contract's words and who asks; never from the handler. */
export function isAllowed({ meta }: MatrixRow, asker: Asker, whose: Whose): boolean {
  const isForEverybody = meta.who.includes('visitor');
  if (isForEverybody && meta.subject === 'none') return true;
  if (meta.who.includes('viewer') && meta.subject === 'visit')
    return asker.visits !== undefined && asker.visits === whose;
  if (asker.may === 'visitor') return false;
  if (meta.needsPlan === true && asker.may !== 'creator') return false;
  return meta.subject === 'none' || asker.owns === whose;
}

/** One call of the matrix. */
export interface Cell {
  row: MatrixRow;
  asker: Asker;
  whose: Whose | Capitals;
  door: Door;
  things: Things;
  spelling?: Spelling;
  /** What the address names a second time, with these values. */
  beside?: Things;
}
export const nameOf = ({ row, asker, whose, door, spelling, beside }: Cell): string =>
  `${row.name} as ${asker.name} on ${whose} by ${door}${spelling === undefined ? '' : `, ${spelling}`}${beside === undefined ? '' : ', named twice'}`;

/** Whose things an asker may name at all. */
export const subjectsOf = (subject: Subject, asker: Asker): readonly ('A' | 'B')[] =>
  subject === 'none' ? ['A'] : somebodys.filter((whose) => asker.owns === whose || asker.visits === whose);
