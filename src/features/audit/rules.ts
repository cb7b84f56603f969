import { isUuid } from '#kit/ids.ts';

/** Start of the window that `now` lies in, and how long it still lasts; windows begin at multiples of their length since 1970. */
export function windowOf(now: Date, windowSeconds: number): { startsAt: Date; leftSeconds: number } {
  const lengthMs = windowSeconds * 1000;
  const startsAtMs = Math.floor(now.getTime() / lengthMs) * lengthMs;
  return { startsAt: new Date(startsAtMs), leftSeconds: Math.ceil((startsAtMs + lengthMs - now.getTime()) / 1000) };
}

/** The part of an address that one customer of a network holds: all of IPv4, the first 64 bits of IPv6 (RFC 6177). */
export function networkOf(address: string): string {
  const [bare = ''] = address.toLowerCase().split('%', 1);
  const plain = bare.replace(/^::ffff:(?=\d+\.)/, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}

/** An id as the log may keep it: rows have UUIDs, anything else is left out. */
export const idOrNull = (id: string | undefined) => (id !== undefined && isUuid(id) ? id : null);
