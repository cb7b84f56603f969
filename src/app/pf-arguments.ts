import path from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { AuditSearch, searchOf } from '#features/audit/desk-contract.ts';

/* What stands behind a verb of `pf`. */

export const isFolder = (text: string | undefined): text is string => text !== undefined && !text.startsWith('-');

/** @throws the sentence that names it when it is missing */
export function folderOf([folder]: readonly string[]): string {
  if (!isFolder(folder)) throw new Error('Give the folder of the backup.');
  return path.resolve(folder);
}

/** @throws the sentence that names it when it is missing */
export function fileOf([file]: readonly string[]): string {
  if (!isFolder(file)) throw new Error('Give the file.');
  return path.resolve(file);
}

/** Returns what stands after an option; undefined without it. */
export const optionOf = (args: readonly string[], option: string): string | undefined =>
  args.includes(option) ? (args[args.indexOf(option) + 1] ?? '') : undefined;

/** What stands after an option, each time it is given. */
export const optionsOf = (args: readonly string[], option: string): string[] =>
  args.flatMap((arg, at) => (args[at - 1] === option ? [arg] : []));

/** Returns how many bases stay. @throws for what is no number of them */
export function keepOf(args: readonly string[]): number {
  const keep = Number(optionOf(args, '--keep') ?? 2);
  if (!Number.isInteger(keep) || keep < 1) throw new Error('--keep is the number of backups to keep, at least 1.');
  return keep;
}

export const adminOrderOf = (args: readonly string[]) => ({
  email: args[0],
  scopes: optionOf(args, '--scopes'),
  isEnd: args.includes('--end'),
});

/** What is looked for in the audit log. @throws the sentence that names what is no day */
export function auditOrderOf(args: readonly string[]): AuditSearch {
  const [sought = ''] = args;
  const word = isFolder(sought) ? searchOf(sought) : {};
  const search = { ...word, from: optionOf(args, '--from'), to: optionOf(args, '--to') };
  const read = AuditSearch.safeParse(search);
  if (!read.success) throw new Error('Give an id or the beginning of an action, and days such as 2026-11-30.');
  return read.data;
}
export const affiliateOrderOf = (args: readonly string[]) => ({
  verb: args[0]?.startsWith('-') ? undefined : args[0],
  id: isFolder(args[1]) ? args[1] : undefined,
  reason: optionOf(args, '--reason'),
  percent: optionOf(args, '--percent'),
  total: optionOf(args, '--total'),
});

export const claimOrderOf = (args: readonly string[]) => ({
  verb: args[0],
  key: args[1],
  source: optionOf(args, '--source'),
  until: optionOf(args, '--until'),
});

export const reportOrderOf = (args: readonly string[]) => ({
  verb: args[0],
  number: args[1],
  reason: optionOf(args, '--reason'),
  by: optionOf(args, '--by'),
});

/** The answer to a request: after `--text`, or piped in. */
export const supportOrderOf = async (args: readonly string[]) => ({
  verb: args[0],
  number: args[1],
  text: args[0] === 'answer' ? (optionOf(args, '--text') ?? (await readPiped())) : undefined,
});

const readPiped = async (): Promise<string | undefined> => (process.stdin.isTTY ? undefined : text(process.stdin));

export const consentOrderOf = (args: readonly string[]) => ({
  verb: args[0],
  id: args[1],
  reason: optionOf(args, '--reason'),
});

export const refundOrderOf = (args: readonly string[]) => ({
  verb: args[0],
  id: args[1],
  reason: optionOf(args, '--reason'),
  note: optionOf(args, '--note'),
  amount: optionOf(args, '--amount'),
});

export const requestOrderOf = (args: readonly string[]) => ({
  verb: args[0],
  id: args[1],
  amount: optionOf(args, '--amount'),
  note: optionOf(args, '--note'),
});

export const disputeOrderOf = (args: readonly string[]) => ({
  verb: args[0],
  id: args[1],
  folder: isFolder(args[2]) ? path.resolve(args[2]) : undefined,
  note: optionOf(args, '--note'),
});

export const payoutOrderOf = (args: readonly string[]) => ({
  verb: args[0],
  email: args[1],
  reason: optionOf(args, '--reason'),
  note: optionOf(args, '--note'),
});

export const inviteOrderOf = (args: readonly string[]) => ({
  verb: args[0],
  id: args[1],
  days: optionOf(args, '--days'),
  places: optionOf(args, '--places'),
  openDays: optionOf(args, '--open'),
});

export const grantOrderOf = (args: readonly string[]) => ({
  email: args[0],
  what: args[1],
  days: optionOf(args, '--days'),
  isEnd: args.includes('--end'),
  credits: optionOf(args, '--count'),
  note: optionOf(args, '--note'),
});

export function momentOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  if (!z.iso.datetime({ offset: true }).safeParse(text).success)
    throw new Error('--until takes a moment like 2026-11-21T18:00:00Z.');
  return new Date(text);
}

export const usersOrderOf = (args: readonly string[]) => ({
  verb: args[0],
  email: args[1],
  newEmail: args[2],
  reason: optionOf(args, '--reason'),
});

export const suspendOrderOf = (args: readonly string[]) => ({
  email: args[0],
  reason: optionOf(args, '--reason'),
  isEnd: args.includes('--end'),
});
