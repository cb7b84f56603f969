const byteUnits = ['B', 'KB', 'MB', 'GB', 'TB'];

/** A size as people read it, in decimal units like their phone's: "4.8 MB". */
export function formatBytes(sizeBytes: number): string {
  let size = sizeBytes;
  let unit = 0;
  while (unit < byteUnits.length - 1 && roundSize(size, unit) >= 1000) {
    size /= 1000;
    unit += 1;
  }
  return `${roundSize(size, unit)} ${byteUnits[unit]}`;
}

function roundSize(size: number, unit: number): number {
  return unit > 0 && size < 99.95 ? Math.round(size * 10) / 10 : Math.round(size);
}

/** A span of time with its two largest units: "38 s", "4 min 12 s", "2 h 05 min", "3 d 4 h". */
export function formatDuration(durationMs: number): string {
  const { days, hours, minutes, seconds } = splitDuration(durationMs);
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
  if (hours > 0) return `${hours} h ${pad(minutes)} min`;
  if (minutes > 0) return `${minutes} min ${pad(seconds)} s`;
  return `${seconds} s`;
}

/** A span as a clock shows it, for a player or a countdown: "0:42", "23:41:07". */
export function formatClock(durationMs: number): string {
  const { days, hours, minutes, seconds } = splitDuration(durationMs);
  const wholeHours = 24 * days + hours;
  return wholeHours > 0 ? `${wholeHours}:${pad(minutes)}:${pad(seconds)}` : `${minutes}:${pad(seconds)}`;
}

/** Returns how long something lasts, as a badge on a video says it; what is shorter than a second is called one: "0:01". */
export const formatLength = (durationMs: number): string => formatClock(Math.max(1000, durationMs));

function splitDuration(durationMs: number) {
  const total = Math.max(0, Math.floor(durationMs / 1000));
  return {
    days: Math.floor(total / 86_400),
    hours: Math.floor(total / 3600) % 24,
    minutes: Math.floor(total / 60) % 60,
    seconds: total % 60,
  };
}

function pad(part: number): string {
  return String(part).padStart(2, '0');
}

/** A number with its noun: "1 photo", "1,204 photos". */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** Making one costs more than using it a hundred times. */
const moneyFormats = new Map<string, Intl.NumberFormat>();

function moneyFormatOf(currency: string, locale: string): Intl.NumberFormat {
  const name = `${locale} ${currency}`;
  const known = moneyFormats.get(name) ?? new Intl.NumberFormat(locale, { style: 'currency', currency });
  moneyFormats.set(name, known);
  return known;
}

/** Returns how many digits of an amount stand behind the point. */
const digitsOf = (currency: string): number =>
  moneyFormatOf(currency, 'en-US').resolvedOptions().maximumFractionDigits ?? 2;

/** An amount in minor units as people read it: "$3.99". */
export function formatMoney(cents: number, currency = 'USD', locale = 'en-US'): string {
  return moneyFormatOf(currency, locale).format(cents / 10 ** digitsOf(currency));
}

/** The same as a table program reads it: "-3.90". */
export function writeAmount(cents: number, currency = 'USD'): string {
  const digits = digitsOf(currency);
  return (cents / 10 ** digits).toFixed(digits);
}

/** A price as people say it, without zeros that say nothing: "$10", "$12.50". */
export const formatPrice = (cents: number, currency = 'USD'): string =>
  formatMoney(cents, currency).replace(/\.00$/, '');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as it stands in HTML, also inside of a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (letter) => entities[letter] ?? '');

const turning =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]|[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A name as it stands inside of a sentence. One that turns the direction of writing, by its letters or by a sign that nobody
 * sees, is set apart (UAX #9): the words around it stay in their order, in a notice and in a tooltip as well.
 */
export const isolate = (name: string): string =>
  turning.test(name) ? `\u2068${name.replace(/[\u2066-\u2069]/gu, '')}\u2069` : name;

/** An address as it may be shown to whoever has only a receipt: "b•••@example.com". */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 1 ? '•••' : `${email.slice(0, 1)}•••${email.slice(at)}`;
}

/** The browser and system of somebody who was here: "Firefox on Windows". */
export const formatDevice = ({ browser, system }: { browser: string | null; system: string | null }): string =>
  [browser ?? 'a browser', ...(system === null ? [] : [`on ${system}`])].join(' ');

/** Returns a share in percent: one that is not all or nothing is not rounded to it. */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return '0%';
  const percent = (100 * part) / whole;
  if (part > 0 && percent < 1) return 'under 1%';
  return `${part < whole ? Math.min(99, Math.round(percent)) : 100}%`;
}
