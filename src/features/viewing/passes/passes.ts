import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type * as z from 'zod';
import { serverKeys } from '#engines/keys/key-ring.ts';
import { settle, slowCrowd, takeMail } from '#features/accounts/limits.ts';
import { formsOfMailbox, invitationEnded } from '#features/accounts/rules.ts';
import { avatarUrl } from '#features/accounts/stored-avatar.ts';
import { findOpenPass } from '#features/links/passes.ts';
import type { OfferedPass } from '#features/links/passes-store.ts';
import { passCodeEmail } from '#features/notices/money-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { newId } from '#kit/ids.ts';
import { minuteMs } from '#kit/time.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import type { Pass, PassTaking, TakenPass } from '../passes-contract.ts';
import { keepViewerCookie, readViewerCookie } from '../viewer-cookie.ts';
import { givePass } from './giving.ts';
import { keepCode, tryCode } from './passes-store.ts';

/** Tries of one code. */
const mostTries = 5;

type Taking = z.infer<typeof PassTaking>;

/** @throws GONE alike for every way in which it cannot be taken */
async function lookAtPass({ engines, now }: Context, token: string): Promise<OfferedPass> {
  const pass = await findOpenPass(engines, token, now);
  if (pass === undefined) throw refuse('GONE', { message: invitationEnded });
  return pass;
}

/** A pass, to look at: nothing is taken by it. @throws GONE */
export async function showPass(context: Context, token: string): Promise<Pass> {
  await slowCrowd(context, 'pass');
  const { creatorName, avatarName, tierName, benefits, days } = await lookAtPass(context, token);
  return { creatorName, picture: avatarName === null ? null : avatarUrl(avatarName), tierName, benefits, days };
}

/** Six digits have few values: without our secret the stored hash could be tried out. */
const hashCode = ({ secrets: [secret] }: Context['engines'], id: string, code: string) =>
  createHmac('sha256', secret).update(`pass:${id}:${code}`).digest();

/** Mails a code to an address, for this browser. @throws GONE */
export async function mailPassCode(
  context: Context,
  { token, email: typed }: { token: string; email: string },
): Promise<{ resendAfterMs: number }> {
  const beganMs = performance.now();
  const { engines, now, asSystem } = context;
  const email = typed.trim().toLowerCase();
  await slowCrowd(context, 'ask_for_pass');
  const pass = await lookAtPass(context, token);
  await takeMail(context, 'mail_pass', email);
  const settings = await settingsOf(engines);
  const browserHash = keepViewerCookie(context);
  const id = newId<'pass code'>(now.getTime());
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const codeMinutes = settings['accounts.codeMinutes'];
  await asSystem(async (tx) => {
    const expiresAt = new Date(now.getTime() + codeMinutes * minuteMs);
    await keepCode(tx, {
      id,
      passId: pass.id,
      browserHash,
      email,
      codeHash: hashCode(engines, id, code),
      now,
      expiresAt,
    });
    await queueEmail(tx, engines.jobs, { to: email, now, ...passCodeEmail({ code, codeMinutes }) });
  });
  await settle(beganMs);
  return { resendAfterMs: settings['accounts.resendSeconds'] * 1000 };
}

/**
 * Takes a pass with the code of the email.
 * @throws GONE where there is nothing to take or no code, VALIDATION for a wrong one, CONFLICT for who has had one of hers
 */
export async function takePass(context: Context, { token, code, timeZone }: Taking): Promise<TakenPass> {
  const { engines, now, asSystem } = context;
  await slowCrowd(context, 'take_pass');
  const pass = await lookAtPass(context, token);
  const browserHash = readViewerCookie(context);
  const tried =
    browserHash && (await asSystem((tx) => tryCode(tx, { passId: pass.id, browserHash, now, most: mostTries })));
  if (browserHash === undefined || tried === undefined)
    throw refuse('GONE', { reason: 'CODE', message: 'This code has expired. Ask for a new one.' });
  if (!timingSafeEqual(tried.codeHash, hashCode(engines, tried.id, code))) throw wrongCode(mostTries - tried.tries);
  // What this list knows of people tells no address; under old keys and its old form as well.
  const personHashes = formsOfMailbox(tried.email).flatMap((form) =>
    serverKeys(engines.keys, 'pf1:pass').map((key) => createHmac('sha256', key).update(form).digest()),
  );
  const given = await givePass(context, { pass, browserHash, code: tried, personHashes, timeZone });
  if (given === 'ended') throw refuse('GONE', { message: invitationEnded });
  if (given === 'had')
    throw refuse('CONFLICT', {
      message: `You've had a free pass from ${pass.creatorName} before. There is one per person.`,
    });
  return { creatorName: pass.creatorName, until: given };
}

function wrongCode(triesLeft: number) {
  const tries = triesLeft === 1 ? '1 try' : `${triesLeft} tries`;
  const message = triesLeft > 0 ? `That code isn't right. ${tries} left.` : "That code isn't right. Ask for a new one.";
  return refuse('VALIDATION', { field: 'code', triesLeft, message });
}
