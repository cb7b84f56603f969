import { isUuid } from '#kit/ids.ts';

/** What a search for payments is about, as its text says. */
export type OrderSearch =
  | { is: 'newest' }
  | { is: 'id'; id: string }
  | { is: 'receipt'; number: number }
  /** The provider's name for a checkout, a payment, a charge, a bill or a dispute. */
  | { is: 'provider'; name: string }
  | { is: 'address'; address: string }
  | { is: 'handle'; handle: string }
  | { is: 'name'; name: string };

/** Reads what was typed, within its bound. */
export function readOrderSearch(typed: string): OrderSearch {
  const text = typed.trim();
  if (text === '') return { is: 'newest' };
  if (isUuid(text)) return { is: 'id', id: text.toLowerCase() };
  if (/^\d{10}$/.test(text)) return { is: 'receipt', number: Number(text) };
  if (/^(?:cs|pi|ch|py|in|du|dp)_\w+$/.test(text)) return { is: 'provider', name: text };
  if (text.startsWith('@')) return { is: 'handle', handle: text.slice(1).toLowerCase() };
  if (text.includes('@')) return { is: 'address', address: text.toLowerCase() };
  return { is: 'name', name: text.toLowerCase() };
}
