import type { Tx } from '#engines/database/work.ts';
import { takeRate } from '#features/audit/store.ts';
import { noteNotice } from '#features/notices/notices-store.ts';
import { dayMs } from '#kit/time.ts';
import { type ClientEventType, Risk, type ServerEventType } from './contract.ts';
import { type EventRow, foldEvent, insertEvent } from './recording-store.ts';
import { foldMs, mostSeenOfViewers, riskOf, rowLimits } from './rules.ts';

/** A visit whose browser reports. */
export interface Reporter {
  creatorId: string;
  linkId: string;
  visitId: string;
  viewerId: string;
  device: EventRow['device'];
}

/** An event of a report as it was written down. */
export interface Reported {
  /** The row in which it is counted. */
  eventId: string;
  risk: Risk;
  count: number;
  /** Counted together with what others did at this link. */
  isShared: boolean;
}

const daySeconds = dayMs / 1000;
const minuteSeconds = 60;
const hourSeconds = 3600;

/**
 * Writes down what a browser reported of its own visit, and tells the creator's open pages. The caller holds the admission's row, so
 * reports of one viewer come one after the other.
 * @param lastAnswer when the link's rule last answered this viewer: what comes later is another row
 */
export async function recordReport(
  tx: Tx,
  reporter: Reporter,
  events: readonly { type: ClientEventType; count: number }[],
  { now, lastAnswer, reportedAt }: { now: Date; lastAnswer: Date | undefined; reportedAt?: Date },
): Promise<Reported[]> {
  const rows = events.map(({ type, count }) => toRow(reporter, type, count, now));
  // In one order, so that two reports never wait for each other.
  const inOrder = rows.toSorted((a, b) => Risk.options.indexOf(a.risk) - Risk.options.indexOf(b.risk));
  const reported: Reported[] = [];
  for (const row of inOrder) {
    const { id, isShared } = await keepReport(tx, row, lastAnswer);
    reported.push({ eventId: id, risk: row.risk, count: row.count, isShared });
  }
  if (reported.some(({ risk }) => risk === 'high')) await noteHighRisk(tx, reporter, { now, reportedAt });
  await notifyCreator(tx, reporter);
  return reported;
}

function toRow({ device, ...of }: Reporter, eventType: string, count: number, now: Date): EventRow {
  const about = { ...of, eventType, risk: riskOf(eventType), source: 'client' as const, count, now };
  return { ...about, device, details: {}, isRest: false };
}

async function keepReport(
  tx: Tx,
  row: EventRow,
  lastAnswer: Date | undefined,
): Promise<{ id: string; isShared: boolean }> {
  const { now, risk, linkId, visitId } = row;
  const limits = rowLimits[risk];
  const since = new Date(Math.max(now.getTime() - foldMs.client, lastAnswer?.getTime() ?? 0));
  const known = await foldEvent(tx, row, since);
  if (known !== undefined) return { id: known, isShared: false };
  const minute = { key: `security.visit:${visitId}:${risk}`, windowSeconds: minuteSeconds, now };
  if ((await takeRate(tx, { ...minute, limit: limits.visitMinute })).isOver) return keepRest(tx, row);
  const day = { key: `security.link:${linkId}:${risk}`, windowSeconds: daySeconds, now };
  if ((await takeRate(tx, { ...day, limit: limits.linkDay })).isOver)
    return keepRest(tx, { ...row, visitId: null, viewerId: null, device: {} });
  const id = await insertEvent(tx, row, limits.visit);
  return id === undefined ? keepRest(tx, row) : { id, isShared: false };
}

/** Counts what is too much to be listed in one row for each type: of its visit, or of its link. */
async function keepRest(tx: Tx, row: EventRow): Promise<{ id: string; isShared: boolean }> {
  const rest = { ...row, isRest: true };
  const id = (await foldEvent(tx, rest, new Date(row.now.getTime() - dayMs))) ?? (await insertEvent(tx, rest));
  if (id === undefined) throw new Error('A security event without a limit was not written.');
  return { id, isShared: row.visitId === null };
}

/** Writes a row for what a link's rule did about a viewer whose reports were too many to be listed. @returns its id */
export const recordApart = (tx: Tx, reporter: Reporter, now: Date): Promise<string | undefined> =>
  insertEvent(tx, toRow(reporter, 'copy_attempt', 1, now));

/** Something that the server saw at a link. */
export interface Seen {
  creatorId: string;
  linkId: string;
  type: ServerEventType;
  /** Left out where nobody is known. */
  viewerId?: string | undefined;
  visitId?: string | undefined;
  device?: EventRow['device'];
  details?: object;
  count?: number;
  now: Date;
  /** The moment of a notice to the creator; left out where they know it already. */
  reportedAt?: Date;
}

/**
 * Writes down what the server saw: of one type one row in ten minutes for each known viewer, and one for all who are strangers, so that
 * nobody makes rows without end. Tells the creator's open pages.
 * @returns whether it is a row of its own, not one more of the same
 */
export async function recordSeen(tx: Tx, seen: Seen): Promise<boolean> {
  const { linkId, type, now } = seen;
  const row = seenRow(seen);
  const rate = { key: `security.seen:${linkId}:${type}`, limit: mostSeenOfViewers, windowSeconds: daySeconds, now };
  // Its row is held until the end: two who see the same at once write one after the other.
  await takeRate(tx, { ...rate, cost: 0 });
  const since = new Date(now.getTime() - foldMs.server);
  const fold = async (event: EventRow) => (await foldEvent(tx, event, since)) !== undefined;
  let isNew = !(await fold(row));
  if (isNew) {
    const isTooMuch = row.viewerId !== null && (await takeRate(tx, rate)).isOver;
    const kept = isTooMuch ? { ...row, viewerId: null, visitId: null, device: {}, details: {} } : row;
    isNew = !(isTooMuch && (await fold(kept)));
    if (isNew) await insertEvent(tx, kept);
  }
  if (isNew && row.risk === 'high') await noteHighRisk(tx, seen, seen);
  await notifyCreator(tx, seen);
  return isNew;
}

function seenRow({ type, viewerId, visitId, device, details, count, reportedAt: _, ...of }: Seen): EventRow {
  const who = { viewerId: viewerId ?? null, visitId: visitId ?? null, device: device ?? {} };
  const what = { eventType: type, risk: riskOf(type), details: details ?? {}, count: count ?? 1, isRest: false };
  return { ...of, ...who, ...what, source: 'server' };
}

/** Has the creator told of what matters, once an hour for each link. */
async function noteHighRisk(
  tx: Tx,
  { creatorId, linkId }: { creatorId: string; linkId: string },
  { now, reportedAt }: { now: Date; reportedAt?: Date | undefined },
): Promise<void> {
  if (reportedAt === undefined) return;
  const once = { key: `security.told:${linkId}`, limit: 1, windowSeconds: hourSeconds, now };
  if ((await takeRate(tx, once)).isOver) return;
  await noteNotice(tx, { userId: creatorId, notice: { event: 'security_high', linkId }, now: reportedAt });
}

// Without its link: no stream of a viewer needs to ask again what it may send.
const notifyCreator = (tx: Tx, { creatorId }: { creatorId: string }) =>
  tx.publish({ kind: 'security.event', creatorId });
