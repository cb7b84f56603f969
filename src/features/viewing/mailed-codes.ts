import type { Engines } from '#engines/engines.ts';
import { hashMailedCode, isMailedCode, newMailedCode, refuseWrongCode } from '#features/accounts/mailed-code.ts';
import { queueEmail } from '#features/notices/store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { newId } from '#kit/ids.ts';
import { minuteMs } from '#kit/time.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import type { MailedCodes, TriedCode } from './mailed-codes-store.ts';
import { keepViewerCookie, readViewerCookie } from './viewer-cookie.ts';

/** Tries of one code. */
const mostTries = 5;

/** Returns whether a browser has a code for a subject that can still be tried. */
export const hasMailedCode = (
  { database }: Pick<Engines, 'database'>,
  codes: MailedCodes,
  waiting: { subjectId: string; browserHash: Buffer; now: Date },
): Promise<boolean> => codes.isWaiting(database, { ...waiting, most: mostTries });

type Email = Omit<Parameters<typeof queueEmail>[2], 'to' | 'now'>;

interface Mailing {
  /** What the code is for. */
  subjectId: string;
  /** The address that it proves. */
  email: string;
  /** Left out: that of the viewer's cookie, which becomes the viewer's own. */
  browserHash?: Buffer;
  /** Left out: as long as every emailed code. */
  codeMinutes?: number;
  write(code: { code: string; codeMinutes: number }): Email;
}

const hashedWith = ({ kind }: MailedCodes, id: string) => `${kind}:${id}`;

/** Mails a code to an address, for this browser. */
export async function mailCode(
  context: Context,
  codes: MailedCodes,
  { subjectId, email, write, ...given }: Mailing,
): Promise<{ resendAfterMs: number }> {
  const { engines, now, asSystem } = context;
  const settings = await settingsOf(engines);
  const browserHash = given.browserHash ?? keepViewerCookie(context);
  const id = newId<'mailed code'>(now.getTime());
  const code = newMailedCode();
  const codeHash = hashMailedCode(engines.secrets, hashedWith(codes, id), code);
  const codeMinutes = given.codeMinutes ?? settings['accounts.codeMinutes'];
  const expiresAt = new Date(now.getTime() + codeMinutes * minuteMs);
  await asSystem(async (tx) => {
    await codes.keep(tx, { id, subjectId, browserHash, email, codeHash, now, expiresAt });
    await queueEmail(tx, engines.jobs, { to: email, now, ...write({ code, codeMinutes }) });
  });
  return { resendAfterMs: settings['accounts.resendSeconds'] * 1000 };
}

/** What became of a code that was typed: `none` where this browser has none for the subject that still counts. */
export type Tried = ({ is: 'right' } & TriedCode) | { is: 'wrong'; triesLeft: number } | { is: 'none' };

/** Tries a code in the browser that asked for it; a wrong one costs a try. */
export async function tryMailedCode(
  { engines, asSystem, now }: Context,
  codes: MailedCodes,
  { subjectId, browserHash, code }: { subjectId: string; browserHash: Buffer; code: string },
): Promise<Tried> {
  const tried = await asSystem((tx) => codes.try(tx, { subjectId, browserHash, now, most: mostTries }));
  if (tried === undefined) return { is: 'none' };
  const isRight = isMailedCode(engines.secrets, hashedWith(codes, tried.id), code, tried.codeHash);
  return isRight ? { is: 'right', ...tried } : { is: 'wrong', triesLeft: mostTries - tried.tries };
}

/**
 * Checks a typed code; a wrong one costs a try.
 * @param typed.field where it was typed
 * @throws GONE where this browser has no code for the subject, VALIDATION for a wrong one
 */
export async function checkMailedCode(
  context: Context,
  codes: MailedCodes,
  { field, ...typed }: { subjectId: string; code: string; field: string },
): Promise<TriedCode & { browserHash: Buffer }> {
  const browserHash = readViewerCookie(context);
  const tried = browserHash && (await tryMailedCode(context, codes, { ...typed, browserHash }));
  if (browserHash === undefined || tried === undefined || tried.is === 'none')
    throw refuse('GONE', { reason: 'CODE', message: 'This code has expired. Ask for a new one.' });
  if (tried.is === 'wrong') throw refuseWrongCode(tried.triesLeft, field);
  return { ...tried, browserHash };
}
