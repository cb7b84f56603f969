import type { NewCredential, UsedCredential } from './passkeys-contract.ts';

interface Question {
  challenge: string;
  rpId: string;
}
interface OwnQuestion extends Question {
  credentialIds: string[];
}
interface NewQuestion extends OwnQuestion {
  userHandle: string;
  email: string;
}

/** Bytes of base64url. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

function textOf(buffer: ArrayBuffer): string {
  const plain = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join('');
  return btoa(plain).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Whether this browser knows passkeys. */
export const hasPasskeys = (): boolean => typeof PublicKeyCredential === 'function';

/** Whether this browser offers passkeys among what it fills a field with. */
export const canOfferPasskeys = async (): Promise<boolean> =>
  hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;

const listed = (ids: readonly string[]) => ids.map((id) => ({ type: 'public-key' as const, id: bytesOf(id) }));

/** Makes a passkey; its person is asked for a PIN, a finger or a face. @returns undefined when they changed their mind */
export async function createPasskey(asked: NewQuestion): Promise<NewCredential | undefined> {
  const { challenge, rpId, credentialIds, userHandle, email } = asked;
  const made = await orNothing(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: bytesOf(challenge),
        rp: { id: rpId, name: 'PrivateFans' },
        user: { id: bytesOf(userHandle), name: email, displayName: email },
        // Those that every authenticator has one of: ES256, EdDSA, RS256.
        pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
        excludeCredentials: listed(credentialIds),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        attestation: 'none',
      },
    }),
  );
  if (!(made instanceof PublicKeyCredential)) return undefined;
  const { clientDataJSON, attestationObject } = made.response as AuthenticatorAttestationResponse;
  return {
    id: made.id,
    clientDataJSON: textOf(clientDataJSON),
    attestationObject: textOf(attestationObject),
  };
}

interface Use {
  /** Offered among what the browser fills the address with, instead of in a window of its own. */
  isOffered?: boolean;
  signal?: AbortSignal;
}

/** Uses a passkey. @returns undefined when its person changed their mind */
export async function requestPasskey(
  { challenge, rpId, credentialIds = [] }: Question & Partial<OwnQuestion>,
  { isOffered = false, signal }: Use = {},
): Promise<UsedCredential | undefined> {
  const used = await orNothing(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: bytesOf(challenge),
        rpId,
        allowCredentials: listed(credentialIds),
        userVerification: 'required',
      },
      ...(isOffered && { mediation: 'conditional' }),
      ...(signal && { signal }),
    }),
  );
  if (!(used instanceof PublicKeyCredential)) return undefined;
  const { clientDataJSON, authenticatorData, signature } = used.response as AuthenticatorAssertionResponse;
  return {
    id: used.id,
    clientDataJSON: textOf(clientDataJSON),
    authenticatorData: textOf(authenticatorData),
    signature: textOf(signature),
  };
}

/** Browsers say by errors that somebody closed the window, took too long or has such a passkey already. */
async function orNothing<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}
