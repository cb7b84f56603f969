/**
 * A day or month of a chart as it is read: "12 Nov", of another year than the newest "12 Nov 2025"; "Nov 2026".
 * @param day as the calendar has it: 2026-11-12
 */
export function nameBar(day: string, newest: string, by: 'day' | 'month', locale?: string): string {
  const isOfItsYear = day.slice(0, 4) === newest.slice(0, 4);
  const format = new Intl.DateTimeFormat(locale, {
    ...(by === 'day' && { day: 'numeric' }),
    ...((by === 'month' || !isOfItsYear) && { year: 'numeric' }),
    ...{ month: 'short', timeZone: 'UTC' },
  });
  return format.format(new Date(`${day}T00:00:00Z`));
}
