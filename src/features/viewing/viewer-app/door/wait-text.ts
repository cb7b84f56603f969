// The loader is inlined into the page and shares no module with the rest of the app, so these stand here once more.
const secondMs = 1000;
const minuteMs = 60 * secondMs;
const dayMs = 24 * 60 * minuteMs;

/** Time until something begins, in words: "2 h 14 min", "3 days", "40 s". */
export function waitText(ms: number): string {
  const left = Math.max(0, ms);
  if (left >= 2 * dayMs) return `${Math.ceil(left / dayMs)} days`;
  if (left < minuteMs) return `${Math.ceil(left / secondMs)} s`;
  const minutes = Math.ceil(left / minuteMs);
  if (minutes < 60) return `${minutes} min`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
