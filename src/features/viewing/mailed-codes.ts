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

type Email = Omit<Parameters<typeof queueEmail>[2], 'to' | 'now'>;

interface Mailing {
  /** What the code is for. */
  subjectId: string;
  /** The address that it proves. */
  email: string;
  write(code: { code: string; codeMinutes: number }): Email;
}

const hashedWith = ({ kind }: MailedCodes, id: string) => `${kind}:${id}`;

/** Mails a code to an address, for this browser. */
export async function mailCode(
  context: Context,
  codes: MailedCodes,
  { subjectId, email, write }: Mailing,
): Promise<{ resendAfterMs: number }> {
  const { engines, now, asSystem } = context;
  const settings = await settingsOf(engines);
  const browserHash = keepViewerCookie(context);
  const id = newId<'mailed code'>(now.getTime());
  const code = newMailedCode();
  const codeHash = hashMailedCode(engines.secrets, hashedWith(codes, id), code);
  const codeMinutes = settings['accounts.codeMinutes'];
  const expiresAt = new Date(now.getTime() + codeMinutes * minuteMs);
  await asSystem(async (tx) => {
    await codes.keep(tx, { id, subjectId, browserHash, email, codeHash, now, expiresAt });
    await queueEmail(tx, engines.jobs, { to: email, now, ...write({ code, codeMinutes }) });
  });
  return { resendAfterMs: settings['accounts.resendSeconds'] * 1000 };
}

/**
 * Checks a typed code; a wrong one costs a try.
 * @param typed.field where it was typed
 * @throws GONE where this browser has no code for the subject, VALIDATION for a wrong one
 */
export async function checkMailedCode(
  { engines, caller, asSystem, now }: Context,
  codes: MailedCodes,
  typed: { subjectId: string; code: string; field: string },
): Promise<TriedCode & { browserHash: Buffer }> {
  const { subjectId, code, field } = typed;
  const browserHash = readViewerCookie({ engines, caller });
  const tried =
    browserHash && (await asSystem((tx) => codes.try(tx, { subjectId, browserHash, now, most: mostTries })));
  if (browserHash === undefined || tried === undefined)
    throw refuse('GONE', { reason: 'CODE', message: 'This code has expired. Ask for a new one.' });
  if (!isMailedCode(engines.secrets, hashedWith(codes, tried.id), code, tried.codeHash))
    throw refuseWrongCode(mostTries - tried.tries, field);
  return { ...tried, browserHash };
}
