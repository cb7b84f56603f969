import { createHmac } from 'node:crypto';
import type * as z from 'zod';
import { serverKeys } from '#engines/keys/key-ring.ts';
import { settle, slowNetwork, takeMail } from '#features/accounts/limits.ts';
import { formsOfMailbox, invitationEnded } from '#features/accounts/rules.ts';
import { avatarUrl } from '#features/accounts/stored-avatar.ts';
import { findOpenPass } from '#features/links/passes.ts';
import type { OfferedPass } from '#features/links/passes-store.ts';
import { passCodeEmail } from '#features/notices/money-emails.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { checkMailedCode, mailCode } from '../mailed-codes.ts';
import type { Pass, PassTaking, TakenPass } from '../passes-contract.ts';
import { givePass } from './giving.ts';
import { passCodes } from './passes-store.ts';

type Taking = z.infer<typeof PassTaking>;

/** @throws GONE alike for every way in which it cannot be taken */
async function lookAtPass({ engines, now }: Context, token: string): Promise<OfferedPass> {
  const pass = await findOpenPass(engines, token, now);
  if (pass === undefined) throw refuse('GONE', { message: invitationEnded });
  return pass;
}

/** A pass, to look at: nothing is taken by it. @throws GONE */
export async function showPass(context: Context, token: string): Promise<Pass> {
  await slowNetwork(context, 'pass');
  const { creatorName, avatarName, tierName, benefits, days } = await lookAtPass(context, token);
  return { creatorName, picture: avatarName === null ? null : avatarUrl(avatarName), tierName, benefits, days };
}

/** Mails a code to an address, for this browser. @throws GONE */
export async function mailPassCode(
  context: Context,
  { token, email: typed }: { token: string; email: string },
): Promise<{ resendAfterMs: number }> {
  const beganMs = performance.now();
  const email = typed.trim().toLowerCase();
  await slowNetwork(context, 'ask_for_pass');
  const pass = await lookAtPass(context, token);
  await takeMail(context, 'mail_pass', email);
  const mailed = await mailCode(context, passCodes, { subjectId: pass.id, email, write: passCodeEmail });
  await settle(beganMs);
  return mailed;
}

/**
 * Takes a pass with the code of the email.
 * @throws GONE where there is nothing to take or no code, VALIDATION for a wrong one, CONFLICT for who has had one of theirs
 */
export async function takePass(context: Context, { token, code, timeZone }: Taking): Promise<TakenPass> {
  const { engines } = context;
  await slowNetwork(context, 'take_pass');
  const pass = await lookAtPass(context, token);
  const proven = await checkMailedCode(context, passCodes, { subjectId: pass.id, code, field: 'code' });
  // What this list knows of people tells no address; under old keys and its old form as well.
  const personHashes = formsOfMailbox(proven.email).flatMap((form) =>
    serverKeys(engines.keys, 'pf1:pass').map((key) => createHmac('sha256', key).update(form).digest()),
  );
  const given = await givePass(context, {
    pass,
    browserHash: proven.browserHash,
    code: proven,
    personHashes,
    timeZone,
  });
  if (given === 'ended') throw refuse('GONE', { message: invitationEnded });
  if (given === 'had')
    throw refuse('CONFLICT', {
      message: `You've had a free pass from ${pass.creatorName} before. There is one per person.`,
    });
  return { creatorName: pass.creatorName, until: given };
}
