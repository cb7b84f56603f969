import { createHash, createHmac } from 'node:crypto';
import type { Engines } from '#engines/engines.ts';
import { accountAccessOf } from '#features/accounts/rules.ts';
import { hasAccess } from '#wire/context.ts';
import { isPassToken, passTokenLength } from './pass-rules.ts';
import { findOfferedPass, type OfferedPass } from './passes-store.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** The secret of a pass is derived, so that its creator can copy the address again though only its hash is kept. */
export function passTokenOf(secret: string, passId: string): string {
  const mac = createHmac('sha256', secret).update(`fan pass:${passId}`).digest('hex');
  let rest = BigInt(`0x${mac}`);
  let text = '';
  while (text.length < passTokenLength) {
    text += letters[Number(rest % 62n)];
    rest /= 62n;
  }
  return text;
}

/** What is kept of a pass's secret. */
export const hashPassToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The secret of a pass whose hash is known; undefined when the secret that it was derived from is no longer used. */
export const findPassToken = (
  { secrets }: Pick<Engines, 'secrets'>,
  { id, tokenHash }: { id: string; tokenHash: Buffer },
): string | undefined =>
  secrets.map((secret) => passTokenOf(secret, id)).find((token) => hashPassToken(token).equals(tokenHash));

/** The pass of a secret while somebody can take it: also its creator has to be there, with a plan. */
export async function findOpenPass(
  { database }: Pick<Engines, 'database'>,
  token: string,
  now: Date,
): Promise<OfferedPass | undefined> {
  if (!isPassToken(token)) return undefined;
  const pass = await findOfferedPass(database, hashPassToken(token), now);
  if (pass === undefined) return undefined;
  const passState = accountAccessOf(pass, now);
  return passState.isSetUp && !passState.isStopped && hasAccess(passState) ? pass : undefined;
}

/** Returns whether somebody can take it. */
export const isPassOpen = async (engines: Pick<Engines, 'database' | 'linkClock'>, token: string): Promise<boolean> =>
  (await findOpenPass(engines, token, new Date(engines.linkClock()))) !== undefined;
