import { undoMs } from '#features/media/rules.ts';
import { settingRules } from '#features/settings/rules.ts';
import { dayMs } from '#kit/time.ts';

/**
 * No list of an album's items is cut before this many. What comes in at one moment through several doors – an upload, a copy,
 * a photo that is brought back – may fill an album beyond its limit; such an album is still shown and put in order whole.
 */
export const mostListed = 2 * settingRules['limits.itemsPerAlbum'].max;

/** What was sold within this time before its album is deleted is paid back. */
export const refundOnDeleteMs = 90 * dayMs;

/** Until when something deleted now can be brought back. */
export const undoUntil = (now: Date): Date => new Date(now.getTime() + undoMs);

/**
 * Whether `order` is a rearrangement of `present`: nothing lost, nothing doubled, nothing foreign.
 * Items that came meanwhile may be missing in `order`; they keep their places at the end.
 */
export function arrange(present: readonly string[], order: readonly string[]): string[] | undefined {
  const known = new Set(present);
  const wanted = new Set(order);
  if (wanted.size !== order.length || order.some((id) => !known.has(id))) return undefined;
  return [...order, ...present.filter((id) => !wanted.has(id))];
}

/** Where a page of a list ended: the sort value and the id of its last row. */
export interface Cursor {
  at: string;
  id: string;
}

/** A cursor as text for the wire. */
export const writeCursor = ({ at, id }: Cursor): string => `${at}|${id}`;

/**
 * Cuts a page out of one row more than it may have.
 * @param cursorOf where a page ends that has this row as its last one
 */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => Cursor,
): { page: Row[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { page, nextCursor: last === undefined ? null : writeCursor(cursorOf(last)) };
}

// PostgreSQL knows no year 0.
const momentAndId = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const nameAndId = /^[^\0]{1,80}\|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/s;

/** Returns whether a text is the cursor of a list by time: a moment that there is, written as we write it, and an id. */
export function isMomentCursor(text: string): boolean {
  if (!momentAndId.test(text)) return false;
  const at = text.slice(0, text.lastIndexOf('|'));
  const moment = new Date(at);
  return !Number.isNaN(moment.getTime()) && moment.toISOString() === at;
}

/** Returns whether a text is the cursor of a list by name. */
export const isNameCursor = (text: string): boolean => nameAndId.test(text);

/** The cursor that a text holds, or undefined when it holds none. */
export function readCursor(text: string | undefined): Cursor | undefined {
  const at = text?.lastIndexOf('|') ?? -1;
  return text === undefined || at < 0 ? undefined : { at: text.slice(0, at), id: text.slice(at + 1) };
}
