import { formatCount, isolate } from '#kit/text.ts';
import { AllowedAddress, mostAllowed } from '../policy.ts';

/** A list that was pasted may be this long; more is refused unread. */
export const longestAllowText = mostAllowed * 256;
/** Lines that are named when they are wrong; the others are counted. */
const mostNamed = 3;

/** Addresses and @domains as they were typed or pasted, each on a line or behind a comma. */
export function readAllowList(typed: string): { allow: string[] } | { fault: string } {
  if (typed.length > longestAllowText) return { fault: `Use at most ${mostAllowed} addresses.` };
  const lines = typed.split(/[\n,;]/).map((line) => line.trim());
  const entries = lines.filter((line) => line !== '');
  const wrong = entries.filter((entry) => !AllowedAddress.safeParse(entry).success);
  if (wrong.length > 0) return { fault: nameWrong(wrong) };
  const allow = [...new Set(entries.map((entry) => AllowedAddress.parse(entry)))];
  return allow.length > mostAllowed ? { fault: `Use at most ${mostAllowed} addresses.` } : { allow };
}

function nameWrong(wrong: readonly string[]): string {
  const named = wrong.slice(0, mostNamed).map((entry) => `“${isolate(entry.slice(0, 60))}”`);
  const left = wrong.length - named.length;
  const all = left > 0 ? [...named, formatCount(left, 'more line')] : named;
  const [last = '', others] = [all.at(-1), all.slice(0, -1)];
  const list = others.length === 0 ? last : `${others.join(', ')} and ${last}`;
  return `${list} ${wrong.length === 1 ? "isn't an address or a domain" : "aren't addresses or domains"}.`;
}
