import type { Engines } from '#engines/engines.ts';
import type { NewCredential, UsedCredential } from './passkeys-contract.ts';

type Here = Pick<Engines, 'installation'>;

/** The site that passkeys belong to: the host of our pages. */
export const rpIdOf = ({ installation }: Here): string => new URL(installation.publicUrl).hostname;
const originOf = ({ installation }: Here): string => new URL(installation.publicUrl).origin;

/** Loaded when the first passkey is used. */
const library = () => import('@simplewebauthn/server');

/** What the library throws is always a fault of the answer: of another site, of another key, cut off. */
async function orNothing<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch {
    return undefined;
  }
}

export interface NewKey {
  credentialId: string;
  publicKey: Buffer;
  counter: number;
}

/** The key of a new passkey; undefined when it is none for this challenge and site, or did not ask who holds it. */
export async function readNewKey(
  here: Here,
  { id, clientDataJSON, attestationObject }: NewCredential,
  isChallenge: (challenge: string) => boolean,
): Promise<NewKey | undefined> {
  const { verifyRegistrationResponse } = await library();
  const { registrationInfo } =
    (await orNothing(() =>
      verifyRegistrationResponse({
        response: {
          id,
          rawId: id,
          type: 'public-key',
          clientExtensionResults: {},
          response: { clientDataJSON, attestationObject },
        },
        expectedChallenge: isChallenge,
        expectedOrigin: originOf(here),
        expectedRPID: rpIdOf(here),
        requireUserVerification: true,
      }),
    )) ?? {};
  if (registrationInfo === undefined) return undefined;
  const { credential } = registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
  };
}

/** The new counter of a passkey that has signed; undefined when it has not signed this challenge for this site. */
export async function readCounter(
  here: Here,
  { id, clientDataJSON, authenticatorData, signature }: UsedCredential,
  { publicKey, counter }: Pick<NewKey, 'publicKey' | 'counter'>,
  isChallenge: (challenge: string) => boolean,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await library();
  const done = await orNothing(() =>
    verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: isChallenge,
      expectedOrigin: originOf(here),
      expectedRPID: rpIdOf(here),
      credential: { id, publicKey: new Uint8Array(publicKey), counter },
      requireUserVerification: true,
    }),
  );
  return done?.verified === true ? done.authenticationInfo.newCounter : undefined;
}
