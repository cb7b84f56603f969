import { isUuid } from '#kit/ids.ts';

/** What a search is for, as its text says. */
export type Search =
  | { is: 'id'; id: string }
  /** Of a report or a support request. */
  | { is: 'case'; number: number }
  | { is: 'receipt'; number: string }
  | { is: 'address'; address: string }
  | { is: 'handle'; handle: string }
  | { is: 'words'; words: string };

/** Reads what was typed, within its bound. */
export function readSearch(typed: string): Search {
  const text = typed.trim();
  if (isUuid(text)) return { is: 'id', id: text.toLowerCase() };
  if (/^\d{8}$/.test(text)) return { is: 'case', number: Number(text) };
  if (/^\d{10}$/.test(text)) return { is: 'receipt', number: text };
  if (text.startsWith('@')) return { is: 'handle', handle: text.slice(1).toLowerCase() };
  if (text.includes('@')) return { is: 'address', address: text.toLowerCase() };
  return { is: 'words', words: text.toLowerCase() };
}
