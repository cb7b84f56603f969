import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { settle } from '#features/accounts/limits.ts';
import { networkOf } from '#features/audit/rules.ts';
import { returnCodeEmail } from '#features/notices/access-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { newId } from '#kit/ids.ts';
import { minuteMs } from '#kit/time.ts';
import type { Context } from '#wire/context.ts';
import { answerNo } from '../leases/answering.ts';
import { codeSent, sayNo } from '../refusals.ts';
import { proofMinutes, resumeCodeLength, resumeCodeOf } from '../rules.ts';
import type { OpenersCookie } from '../viewer-cookie.ts';
import { hashCode } from './code-hash.ts';
import { takeMails } from './email-gate.ts';
import { findReturning, insertReturnCode } from './return-code-store.ts';

/**
 * Mails a code to come back with to whoever is known to a link by this address: proven at one of its gates, or paid with. Nobody
 * learns whether somebody is: every address and every link is answered alike, and so is the time that it takes.
 * @throws RATE_LIMITED when an email was asked for too soon or too often
 */
async function mailReturnCode(context: Context, slug: string, email: string): Promise<void> {
  const beganMs = performance.now();
  const { engines, now, asSystem } = context;
  await takeMails(context, slug, networkOf(context.caller.address), email);
  const code = resumeCodeOf(randomBytes(resumeCodeLength));
  const id = newId<'resume code'>(now.getTime());
  const expiresAt = new Date(now.getTime() + proofMinutes * minuteMs);
  await asSystem(async (tx) => {
    const found = await findReturning(tx, { slug, email, realm: engines.payments.realm, now });
    if (found === undefined) return;
    await insertReturnCode(tx, { ...found, id, codeHash: hashCode(code), now, expiresAt });
    await queueEmail(tx, engines.jobs, { to: email, now, ...returnCodeEmail({ code, codeMinutes: proofMinutes }) });
  });
  await settle(beganMs);
}

interface Coming {
  slug: string;
  returnEmail: string;
  cookie: OpenersCookie;
}

/** Answers whoever asks for a code to come back with; the code itself is typed with the next call. @throws RATE_LIMITED */
export async function answerReturning(
  reply: FastifyReply,
  context: Context,
  { slug, returnEmail, cookie }: Coming,
): Promise<FastifyReply> {
  await mailReturnCode(context, slug, returnEmail);
  cookie.offer();
  return answerNo(reply, codeSent);
}

/** A code makes a device of this browser, which has to be able to say that it is that one. */
export function askForCookie(reply: FastifyReply, { now }: Context, cookie: OpenersCookie): FastifyReply {
  cookie.offer();
  return answerNo(reply, sayNo(undefined, { ok: false, reason: 'NEED_COOKIE' }, now));
}
