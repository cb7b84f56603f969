import { minuteMs, secondMs } from '#kit/time.ts';
import type { ClientEventType, Risk, ServerEventType } from './contract.ts';

const highRisk: readonly (ClientEventType | ServerEventType)[] = [
  ...(['screenshot_attempt', 'devtools_attempt', 'save_attempt', 'copy_attempt'] as const),
  ...(['key_rate_exceeded', 'automation_suspected', 'leak_traced'] as const),
];
const mediumRisk: readonly (ClientEventType | ServerEventType)[] = [
  ...(['context_menu_attempt', 'view_source_attempt', 'select_all_attempt'] as const),
  ...(['link_forwarded', 'password_bruteforce'] as const),
];

/** Returns how much an event of this type matters; of one that is unknown, little. */
export function riskOf(eventType: string): Risk {
  const isIn = (types: readonly string[]) => types.includes(eventType);
  if (isIn(highRisk)) return 'high';
  return isIn(mediumRisk) ? 'medium' : 'low';
}

/** The same event within this time is one row: of a browser's reports, and of what the server sees. */
export const foldMs = { client: 10 * secondMs, server: 10 * minuteMs } as const;

/**
 * How many rows there may be of one risk: of one visit in a minute, 30 in all, and in total; of one link in a day. Each risk has its own, so
 * that what matters little never hides what matters. What is more is counted in one last row.
 */
export const rowLimits: Readonly<Record<Risk, { visitMinute: number; visit: number; linkDay: number }>> = {
  high: { visitMinute: 14, visit: 40, linkDay: 300 },
  medium: { visitMinute: 9, visit: 20, linkDay: 150 },
  low: { visitMinute: 7, visit: 20, linkDay: 100 },
};

/** What of one type the server may see of known viewers of a link in a day, each in a row of their own. */
export const mostSeenOfViewers = 50;

/** Reports of copying by one viewer of a link count together for this long. */
export const responseMs = 10 * minuteMs;
