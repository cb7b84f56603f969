import { createHash, timingSafeEqual } from 'node:crypto';
import type { Tx } from '#engines/database/work.ts';
import type { Settings } from '#features/settings/rules.ts';
import { newId, newToken } from '#kit/ids.ts';
import { minuteMs } from '#kit/time.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { hashMailedCode, isMailedCode, newMailedCode, refuseWrongCode } from '../mailed-code.ts';
import { findProofByToken, insertProof, type Purpose, tryCode, untryCode } from '../security-store.ts';

/** What an email proves: its link's secret, or the code to type where it was asked for. */
export type Proof = { token: string } | { code: string };

const cookieName = (isSecure: boolean) => `${isSecure ? '__Host-' : ''}pf_asked`;
const sha256 = (text: string) => createHash('sha256').update(text).digest();

/**
 * The secret that binds what is mailed to the browser that asks for it; one that it has is kept, so that two emails both work.
 * @param untilMailedMs how long it may take until the email is sent
 * @returns its hash
 */
export function bindBrowser(
  { caller, engines, setCookie }: Context,
  settings: Settings,
  untilMailedMs: number = 0,
): Buffer {
  const name = cookieName(engines.installation.isSecure);
  const known = caller.cookie(name);
  const secret = known !== undefined && /^[A-Za-z0-9]{22}$/.test(known) ? known : newToken();
  setCookie(name, secret, { maxAgeSeconds: settings['accounts.linkMinutes'] * 60 + untilMailedMs / 1000 });
  return sha256(secret);
}

/**
 * Makes a link's secret and a code for one email; only their hashes are kept.
 * @param ask.userId left out when nobody is to be let in by it: then it is only as much work
 */
export async function makeProof(
  { engines, now }: Pick<Context, 'engines' | 'now'>,
  tx: Tx,
  ask: {
    userId: string | undefined;
    purpose: Purpose;
    /** The hash that `bindBrowser` gave. */
    browser: Buffer;
    invitationId?: string | undefined;
    settings: Settings;
  },
): Promise<{ token: string; code: string }> {
  const { userId, purpose, browser, invitationId, settings } = ask;
  const id = newId<'proof'>(now.getTime());
  const token = newToken(43);
  const code = newMailedCode();
  const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * minuteMs);
  await insertProof(tx, {
    id,
    userId,
    purpose,
    tokenHash: sha256(token),
    codeHash: hashMailedCode(engines.secrets, id, code),
    browserHash: browser,
    invitationId,
    now,
    codeExpiresAt: inMinutes(settings['accounts.codeMinutes']),
    expiresAt: inMinutes(settings['accounts.linkMinutes']),
  });
  return { token, code };
}

export type Looked =
  | { is: 'good'; proofId: string; userId: string }
  | { is: 'ended' }
  | { is: 'other_browser' }
  | { is: 'wrong_code'; triesLeft: number };

/** Looks whether a link or code is good, in the browser that asked for it; spends nothing but a wrong code's try. */
export async function lookAtProof(
  context: Context,
  tx: Tx,
  purpose: Purpose,
  proof: Proof,
  triesMax: number,
): Promise<Looked> {
  const { caller, engines, now } = context;
  const browserHash = sha256(caller.cookie(cookieName(engines.installation.isSecure)) ?? '');
  if ('token' in proof) {
    const found = await findProofByToken(tx, sha256(proof.token), purpose, now);
    if (found === undefined || found.userId === null) return { is: 'ended' };
    if (!timingSafeEqual(found.browserHash, browserHash)) return { is: 'other_browser' };
    return { is: 'good', proofId: found.id, userId: found.userId };
  }
  const found = await tryCode(tx, browserHash, purpose, { now, triesMax });
  if (found === undefined) return { is: 'ended' };
  const isRight = isMailedCode(engines.secrets, found.id, proof.code, found.codeHash);
  if (!isRight || found.userId === null) return { is: 'wrong_code', triesLeft: triesMax - found.tries };
  await untryCode(tx, found.id);
  return { is: 'good', proofId: found.id, userId: found.userId };
}

/** The refusal that says why a link or code is not good; made after the transaction, so that a wrong try stays counted. */
export function refuseProof(looked: Exclude<Looked, { is: 'good' }>) {
  if (looked.is === 'other_browser')
    return refuse('CONFLICT', { reason: 'OTHER_BROWSER', message: 'Enter the code where you started' });
  if (looked.is === 'ended') return refuse('GONE', { message: 'This link or code has expired. Ask for a new one.' });
  return refuseWrongCode(looked.triesLeft, 'code');
}
