import { dayMs, minuteMs } from './time.ts';

const lookAheadDays = 366;

/** Returns whether a number is meant by a field of a cron expression: `*`, `* /n` without the space, a number, or several of them. */
function isMeant(field: string, value: number): boolean {
  return field.split(',').some((part) => {
    const [range = '*', step = '1'] = part.split('/');
    const [from = '', to = from] = range.split('-');
    if (range === '*') return value % Number(step) === 0;
    return value >= Number(from) && value <= Number(to) && (value - Number(from)) % Number(step) === 0;
  });
}

/** Returns when a job that comes by this cron expression, in UTC, comes next; null when that is not within a year. */
export function nextRun(cron: string, now: Date): Date | null {
  const [minute = '*', hour = '*', day = '*', month = '*', weekday = '*'] = cron.split(' ');
  const last = now.getTime() + lookAheadDays * dayMs;
  for (let ms = (Math.floor(now.getTime() / minuteMs) + 1) * minuteMs; ms < last; ms += minuteMs) {
    const at = new Date(ms);
    const isDay =
      isMeant(day, at.getUTCDate()) && isMeant(month, at.getUTCMonth() + 1) && isMeant(weekday, at.getUTCDay());
    if (!isDay) ms += dayMs - (ms % dayMs) - minuteMs;
    else if (isMeant(hour, at.getUTCHours()) && isMeant(minute, at.getUTCMinutes())) return at;
  }
  return null;
}
