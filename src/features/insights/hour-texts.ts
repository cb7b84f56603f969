/** Hours of a week: 24 of each of its days. */
export const hoursOfWeek = 168;

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
export type DayName = (typeof dayNames)[number];

/** The days of a week with their places, Monday first. */
export const weekDays: readonly { name: DayName; at: number }[] = dayNames.map((name, at) => ({ name, at }));

/** An hour of a day: "9 PM", where clocks go to 24 "21". */
export const nameHour = (hour: number, locale?: string): string =>
  new Intl.DateTimeFormat(locale, { hour: 'numeric', timeZone: 'UTC' }).format(new Date(Date.UTC(2026, 0, 1, hour)));

/** An hour of the week from its beginning to its end: "Friday, 9 PM – 10 PM". */
export const nameHourOfWeek = (at: number, locale?: string): string =>
  `${dayNames[Math.floor(at / 24)] ?? ''}, ${nameHour(at % 24, locale)} – ${nameHour((at + 1) % 24, locale)}`;

export const describeOpens = (opens: number): string =>
  opens === 1 ? '1 open' : `${opens.toLocaleString('en')} opens`;

/** Returns how dark an hour is drawn: from 0, where there was nothing, to 4. */
export const levelOf = (opens: number, most: number): number => (opens === 0 ? 0 : Math.ceil((4 * opens) / most));

/** The hour with the most opens, the first of several; undefined when there were none. */
export function busiestHour(hours: readonly number[]): number | undefined {
  const most = Math.max(0, ...hours);
  return most === 0 ? undefined : hours.indexOf(most);
}
