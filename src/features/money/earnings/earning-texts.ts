/**
 * A day or month of a chart as it is read: "12 Nov", of another year than the newest "12 Nov 2025"; "Nov 2026".
 * @param day as the calendar has it: 2026-11-12
 */
export function nameBar(day: string, newest: string, by: 'day' | 'month', locale?: string): string {
  const isOfItsYear = day.slice(0, 4) === newest.slice(0, 4);
  const format = new Intl.DateTimeFormat(locale, {
    ...(by === 'day' && { day: 'numeric' }),
    ...((by === 'month' || !isOfItsYear) && { year: 'numeric' }),
    month: 'short',
    timeZone: 'UTC',
  });
  return format.format(new Date(`${day}T00:00:00Z`));
}

/** The months, newest first, and then the years for which there is a statement. */
export function listPeriods(begunAt: Date, now: Date, locale?: string): { value: string; label: string }[] {
  const months: { value: string; label: string }[] = [];
  const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const first = begunAt.getFullYear() * 12 + begunAt.getMonth();
  const last = now.getFullYear() * 12 + now.getMonth();
  for (let at = last; at >= first && months.length < mostMonths; at--) {
    const day = new Date(Date.UTC(Math.floor(at / 12), at % 12));
    months.push({ value: day.toISOString().slice(0, 7), label: month.format(day) });
  }
  const years: { value: string; label: string }[] = [];
  for (let year = now.getFullYear(); year >= begunAt.getFullYear(); year--)
    years.push({ value: `${year}`, label: `All of ${year}` });
  return [...months, ...years];
}

const mostMonths = 24;
