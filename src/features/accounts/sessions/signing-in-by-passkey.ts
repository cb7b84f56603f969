import { insertAudit } from '#features/audit/store.ts';
import type { Context } from '#wire/context.ts';
import { giveSession, prepareSession } from '../browser-session.ts';
import { noteArrival } from '../joining/arrivals.ts';
import { slowNetwork } from '../limits.ts';
import { makePasskeyChallenge } from '../passkeys/passkey-challenge.ts';
import { takeAnswer } from '../passkeys/passkey-store.ts';
import { readAnswer, refuseAnswer } from '../passkeys/passkeys.ts';
import type { UsedCredential } from '../passkeys/passkeys-contract.ts';
import { rpIdOf } from '../passkeys/webauthn.ts';
import { noteCode } from '../second-factor/second-factor-store.ts';
import { holdAccount } from '../store.ts';
import { notifyNewDevice } from './notify-devices.ts';

const purpose = 'sign_in';

/** Asks for a passkey of whoever has one; it holds no place with us. */
export const askForPasskey = ({ engines }: Context) => ({
  challenge: makePasskeyChallenge(engines.keys, purpose, new Date(engines.clock())),
  rpId: rpIdOf(engines),
});

/**
 * Signs in by a passkey alone: it has asked its person for a PIN, a finger or a face, so no code is asked for after it.
 * @throws GONE, whatever is wrong with it
 */
export async function signInByPasskey(
  context: Context,
  credential: UsedCredential,
): Promise<{ token?: string; isAccountKept?: boolean }> {
  await slowNetwork(context, 'sign_in_passkey');
  const answer = await readAnswer(context, purpose, credential);
  const open = await prepareSession(context);
  const { engines, asSystem, requestId } = context;
  const { id, userId } = answer.passkey;
  const session = await asSystem(async (tx) => {
    const account = await holdAccount(tx, userId);
    if (account === undefined || account.status === 'deleted') return undefined;
    if (!(await takeAnswer(tx, id, answer))) return undefined;
    const opened = await open(tx, userId);
    await noteCode(tx, opened.sessionId, new Date(engines.clock()));
    const details = { by: 'passkey' };
    await insertAudit(tx, { actor: { type: 'creator', id: userId }, action: 'session.began', details, requestId });
    if (opened.isNewDevice) await notifyNewDevice(context, tx, account, opened);
    return opened;
  });
  if (session === undefined) throw refuseAnswer();
  await noteArrival(context, session, { type: 'signin', page: '/auth' });
  return giveSession(context, session);
}
