export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
const relativeMs = 7 * dayMs;

/** Where the reader is; left out, it is what the machine says. */
export type Place = { locale?: string; timeZone?: string };

/**
 * How long ago something was: "Just now", "Nm ago", "Nh ago", "Nd ago" up to 7 days, then the date.
 * A time that seems to lie ahead is "Just now": two clocks never agree to the second.
 */
export function formatTimeAgo(at: Date, now: Date, place: Place = {}): string {
  const elapsedMs = now.getTime() - at.getTime();
  if (elapsedMs < minuteMs) return 'Just now';
  if (elapsedMs < hourMs) return `${Math.floor(elapsedMs / minuteMs)}m ago`;
  if (elapsedMs < dayMs) return `${Math.floor(elapsedMs / hourMs)}h ago`;
  if (elapsedMs <= relativeMs) return `${Math.floor(elapsedMs / dayMs)}d ago`;
  return formatDate(at, now, place);
}

/** A day as people say it: "20 Dec", and with its year when that is not the present one. */
export function formatDate(at: Date, now: Date, { locale, timeZone }: Place = {}): string {
  const year = new Intl.DateTimeFormat('en', { year: 'numeric', timeZone });
  const isThisYear = year.format(at) === year.format(now);
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: isThisYear ? undefined : 'numeric',
    timeZone,
  }).format(at);
}

/** A day with its minute: "20 Dec, 14:05". */
export function formatMoment(at: Date, now: Date, place: Place = {}): string {
  const minute = new Intl.DateTimeFormat(place.locale, {
    hour: '2-digit',
    minute: '2-digit',
    timeZone: place.timeZone,
  });
  return `${formatDate(at, now, place)}, ${minute.format(at)}`;
}

/**
 * Returns whether times can be told there. Only Intl itself knows: its list of zones leaves out names that browsers report every day
 * (Asia/Kolkata, Europe/Kyiv), since it holds one name of each zone.
 */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false; // A RangeError is how Intl says that it knows no such zone.
  }
}

/** The zone itself where times can be told there, else UTC. */
export const zoneOrUtc = (timeZone: string | undefined): string =>
  timeZone !== undefined && isTimeZone(timeZone) ? timeZone : 'UTC';

/** A moment where somebody lives, in full and with its zone, as an email tells it: "Nov 21, 2026, 1:00 PM (Asia/Kolkata)". */
export function formatMomentIn(at: Date, timeZone: string): string {
  const zone = zoneOrUtc(timeZone);
  const format = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: zone });
  return `${format.format(at)} (${zone})`;
}

/** The first instant of the month that a moment lies in, in UTC. */
export const monthOf = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));

/** The same day and hour so many months later, or those of the last day of that month, in UTC. */
export function monthsLater(day: Date, months: number): Date {
  const later = new Date(day);
  later.setUTCMonth(day.getUTCMonth() + months);
  if (later.getUTCDate() !== day.getUTCDate()) later.setUTCDate(0);
  return later;
}

/** So many months after a day, on this day of the month or the last one of a month that is shorter, in UTC: the 31st stays the 31st. */
export function monthsLaterOn(dayOfMonth: number, day: Date, months: number): Date {
  const later = new Date(day);
  later.setUTCMonth(day.getUTCMonth() + months, 1);
  const last = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0)).getUTCDate();
  later.setUTCDate(Math.min(dayOfMonth, last));
  return later;
}

/** Minutes that a bank or a buyer reads on paper: "2026-11-21 09:12 UTC". */
export const formatUtc = (at: Date | string): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
