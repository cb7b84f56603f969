import { isUuid } from '#kit/ids.ts';

const mostIds = 1000;
const deepest = 8;

/** Collects the ids that stand in the lists of an answer, each once. */
export function listIds(answer: unknown): string[] {
  const ids = new Set<string>();
  collect(answer, { isListed: false, depth: 0 }, ids);
  return [...ids];
}

function collect(value: unknown, { isListed, depth }: { isListed: boolean; depth: number }, ids: Set<string>): void {
  if (ids.size >= mostIds || depth > deepest || typeof value !== 'object' || value === null) return;
  const next = { isListed: isListed || Array.isArray(value), depth: depth + 1 };
  for (const [key, part] of Object.entries(value)) {
    if (typeof part !== 'string') collect(part, next, ids);
    else if (next.isListed && (Array.isArray(value) || /^id$|Id$/.test(key)) && isUuid(part)) ids.add(part);
  }
}

/** Collects every id that stands anywhere in what a caller has sent: naming it in the answer tells them nothing new. */
export function sentIds(input: unknown, depth = 0): string[] {
  if (typeof input === 'string') return isUuid(input) ? [input] : [];
  if (depth > deepest || typeof input !== 'object' || input === null) return [];
  return Object.values(input).flatMap((part) => sentIds(part, depth + 1));
}
