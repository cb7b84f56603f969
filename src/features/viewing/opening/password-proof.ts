import type { Engines } from '#engines/engines.ts';
import type { Question } from '#features/access/store.ts';
import { slowNetwork, takeMail } from '#features/accounts/limits.ts';
import { newMailedCode } from '#features/accounts/mailed-code.ts';
import { hashKey } from '#features/audit/store.ts';
import { proofCodeEmail } from '#features/notices/emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { dayMs, minuteMs } from '#kit/time.ts';
import type { Context } from '#wire/context.ts';
import type { OpenRequest } from '../contract.ts';
import { proofCodeMinutes } from '../rules.ts';
import { findProofState, keepProofCode, type ProofOf, tryProofCode } from './password-proof-store.ts';
import { freeTriesOfNetwork } from './password-store.ts';
import { networkKeyOf } from './password-tries.ts';

/** How often an emailed code may be typed. */
const codeTries = 5;
/** Passwords that a proven address is good for, within a day. */
const triesOfProof = 20;
/** Between two emails to one address. */
const resendSeconds = 30;

/** What is still to be proven: the address, or the code that was sent to it; or that cookies are kept, without which nothing is. */
export type Unproven =
  | {
      step: 'address';
      isByGate?: boolean;
      isOver?: boolean;
      /** Many strangers have asked a creator for access today. */
      isForRequest?: boolean;
    }
  | { step: 'code'; isJustSent?: boolean; triesLeft?: number }
  | { step: 'cookie' };

/** Whose proof it is, and what it brings. */
export interface Prover {
  context: Context;
  secretHash: Buffer;
  network: string;
  now: Date;
  body: Pick<OpenRequest, 'email' | 'emailCode'>;
}

/**
 * Of a network that has guessed a link's password often, a browser types on only after it has proven an address. Whoever was let
 * in by the link before is asked for nothing.
 * @returns what is missing; undefined when a password may be typed
 * @throws RATE_LIMITED when an email was asked for too soon
 */
export async function meetProof(
  engines: Engines,
  { linkId, grantId, password, facts }: Question,
  { context, secretHash, network, now, body }: Prover,
): Promise<Unproven | undefined> {
  if (grantId !== undefined || password === undefined) return undefined;
  const proof = { linkId, secretHash };
  const tries = { network: networkKeyOf(engines, linkId, network), version: password.version };
  const codeSince = new Date(now.getTime() - proofCodeMinutes * minuteMs);
  const state = await findProofState(
    engines.database,
    proof,
    { ...tries, freeTries: freeTriesOfNetwork },
    { day: new Date(now.getTime() - dayMs), code: codeSince },
  );
  if (!state.isNeeded || state.isProven) return undefined;
  if (body.email === undefined && body.emailCode === undefined)
    return state.isSent ? { step: 'code' } : { step: 'address' };
  if (!facts.keepsCookie) return { step: 'cookie' };
  if (body.email !== undefined) return sendCode(engines, context, proof, body.email);
  const codeHash = hashOf(engines, proof, body.emailCode ?? '');
  const tried = await tryProofCode(engines.database, proof, { codeHash, since: codeSince, now, worth: triesOfProof });
  if (tried?.isRight) return undefined;
  return tried === undefined ? { step: 'address' } : { step: 'code', triesLeft: tried.triesLeft };
}

/** The code is bound to the link and the browser it was asked for in. Digits of other scripts and spaces were made plain before. */
const hashOf = ({ keys }: Engines, { linkId, secretHash }: ProofOf, code: string) =>
  hashKey(keys, 'viewing.proof', `${linkId} ${secretHash.toString('base64url')} ${code}`);

async function sendCode(engines: Engines, context: Context, proof: ProofOf, email: string): Promise<Unproven> {
  const { now, asSystem } = context;
  context.waitOutside();
  await slowNetwork(context, 'password_proof');
  await takeMail(context, 'mail_proof', email, resendSeconds);
  const code = newMailedCode();
  await asSystem(async (tx) => {
    await keepProofCode(tx, proof, { codeHash: hashOf(engines, proof, code), tries: codeTries, now });
    await queueEmail(tx, engines.jobs, { to: email, now, ...proofCodeEmail({ code, codeMinutes: proofCodeMinutes }) });
  });
  return { step: 'code', isJustSent: true };
}
