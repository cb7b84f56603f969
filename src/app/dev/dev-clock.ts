import type { Engines } from '#engines/engines.ts';
import { escapeHtml } from '#kit/text.ts';
import { dayMs, hourMs, monthsLater, secondMs } from '#kit/time.ts';
import { turnClock, turnedMs } from './turned-clock.ts';

const steps = [
  ['hour', '+1 h'],
  ['week', '+7 d'],
  ['month', '+1 month'],
] as const;

/** To the second, as people read it. */
export const momentOf = (at: Date): string => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** A clock that is turned further shows moments that no date can hold. */
const mostTurnedMs = 20 * 365 * dayMs;
const bounded = (ms: number): number => Math.max(-mostTurnedMs, Math.min(mostTurnedMs, ms));

const momentPattern = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/;

type Needs = Pick<Engines, 'sandbox' | 'linkClock'>;

const movedNow = ({ linkClock }: Needs) => new Date(linkClock());

/** What time it is, and the buttons that move it. @param was the time before it was moved; empty where it was not */
export async function showDevClock(engines: Needs, was = ''): Promise<string> {
  const next = await engines.sandbox?.findNextDue();
  const buttons = steps.map(([name, label]) => `<button name="move" value="${name}">${label}</button>`).join(' ');
  const last = `<button name="move" value="next"${next === undefined ? ' disabled' : ''}>To next event</button>`;
  const words =
    next === undefined
      ? 'Nothing is due in the test payments.'
      : `Next: ${escapeHtml(next.what)}, ${momentOf(next.at)}.`;
  const moved = momentPattern.test(was)
    ? `<p role="status">The clock was moved from ${was}. What was due in between has happened.</p>`
    : '';
  return `<p><strong>Test payments, no real money</strong></p>${moved}
<p>For links, visits and test payments it is <strong>${momentOf(movedNow(engines))}</strong> (${Math.round(turnedMs() / secondMs)} s from now). A restart keeps it.</p>
<form method="post"><p>${buttons} ${last}</p></form><p>${words}</p>
<form method="post"><label>Seconds from now <input name="seconds" type="number" min="${-mostTurnedMs / secondMs}" max="${mostTurnedMs / secondMs}" value="${Math.round(turnedMs() / secondMs)}"></label> <button>Set</button></form>`;
}

/** By how much a button moves it; nothing where there is no such moment. */
async function stepOf(engines: Needs, move: string): Promise<number> {
  const now = movedNow(engines);
  if (move === 'hour') return hourMs;
  if (move === 'week') return 7 * dayMs;
  if (move === 'month') return monthsLater(now, 1).getTime() - now.getTime();
  const next = move === 'next' ? await engines.sandbox?.findNextDue() : undefined;
  return next === undefined ? 0 : next.at.getTime() - now.getTime();
}

/** Moves the clock as a form of the page asks. What has become due by a button happens at once. @returns by how much it is turned now */
export async function moveClock(
  engines: Needs,
  { move, seconds }: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const requested = move === undefined ? Number(seconds ?? 0) * secondMs : turnedMs() + (await stepOf(engines, move));
  if (Number.isNaN(requested)) return turnedMs();
  const turned = bounded(requested);
  turnClock(turned);
  await engines.sandbox?.keepClockOffset(turned);
  if (move !== undefined) await engines.sandbox?.deliverDue();
  return turned;
}

/** Goes on where a developer had turned the clock before a restart. */
export async function resumeClock({ sandbox }: Pick<Engines, 'sandbox'>): Promise<void> {
  const turned = bounded((await sandbox?.clockOffset()) ?? 0);
  if (turned !== 0) turnClock(turned);
}
