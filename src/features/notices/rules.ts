import { dayMs, hourMs, minuteMs, zoneOrUtc } from '#kit/time.ts';
import { type Channel, channels, type NoticeEvent, noticeEvents, type QuietHours } from './contract.ts';

/** Told when they happen; everything else waits for the next digest. */
const atOnce: ReadonlySet<NoticeEvent> = new Set(['first_open', 'request', 'password_guessed', 'security_high']);
/** Safety does not wait for the morning. */
const always: ReadonlySet<NoticeEvent> = new Set(['password_guessed']);

/** At most one digest in this time. */
export const digestMs = hourMs;

/** Some events wait for less than an hour after the last digest. */
const pauseMs: Readonly<Partial<Record<NoticeEvent, number>>> = { access_request: 10 * minuteMs };

/** Further opens of all links are told together at most once in this time, whatever else is told meanwhile. */
export const opensMs = dayMs;

/** Returns what they chose for an event, or what holds until they do. */
export const channelOf = (chosen: Readonly<Partial<Record<string, string>>>, event: NoticeEvent): Channel =>
  channels.find((channel) => channel === chosen[event]) ?? 'mail';

export const channelsOf = (chosen: Readonly<Partial<Record<string, string>>>): Record<NoticeEvent, Channel> =>
  Object.fromEntries(noticeEvents.map((event) => [event, channelOf(chosen, event)])) as Record<NoticeEvent, Channel>;

/** Minutes of a day, where somebody lives. */
function minuteOfDay(now: Date, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zoneOrUtc(timeZone),
  });
  const [hours = 0, minutes = 0] = format.format(now).split(':').map(Number);
  return 60 * hours + minutes;
}

/** Returns when quiet hours that hold now are over; undefined when none do. */
export function quietUntil(quiet: QuietHours, timeZone: string, now: Date): Date | undefined {
  if (quiet === null) return undefined;
  const minute = minuteOfDay(now, timeZone);
  const since = (minute - quiet.from + 1440) % 1440;
  const length = (quiet.until - quiet.from + 1440) % 1440;
  if (since >= length) return undefined;
  const intoMinute = now.getTime() % minuteMs;
  return new Date(now.getTime() - intoMinute + (length - since) * minuteMs);
}

/** What decides when a notice is told. */
export interface Pace {
  quiet: QuietHours;
  timeZone: string;
  /** When the last digest went; null when there was none. */
  digestAt: Date | null;
  /** When further opens were told last; null when they never were. */
  opensAt: Date | null;
  now: Date;
}

/** Returns when a notice is told at the earliest; not later than `now` means at once. */
export function dueAt(event: NoticeEvent, { quiet, timeZone, digestAt, opensAt, now }: Pace): Date {
  const paced =
    atOnce.has(event) || digestAt === null ? now.getTime() : digestAt.getTime() + (pauseMs[event] ?? digestMs);
  const ownPaced = event === 'further_opens' && opensAt !== null ? opensAt.getTime() + opensMs : now.getTime();
  const due = new Date(Math.max(now.getTime(), paced, ownPaced));
  return always.has(event) ? due : (quietUntil(quiet, timeZone, due) ?? due);
}

/** Pause before an email is tried again that no server took: half a minute, doubled by each further try, at most an hour. */
export const retryPauseSeconds = (tries: number): number => Math.min(3600, 30 * 2 ** (Math.max(1, tries) - 1));

export const isDigested = (event: NoticeEvent): boolean => !atOnce.has(event);
