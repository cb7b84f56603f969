import { dayMs, secondMs } from '#kit/time.ts';

const two = (value: number) => String(value).padStart(2, '0');

/** Time that runs out, as a clock: "23:41:07", "4:05"; from two days on it is days that count: "30 days". */
export function timeLeftText(ms: number): string {
  const left = Math.max(0, ms);
  if (left >= 2 * dayMs) return `${Math.ceil(left / dayMs)} days`;
  const seconds = Math.ceil(left / secondMs);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
