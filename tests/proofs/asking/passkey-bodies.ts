import type { Things } from './things.ts';

const usedPasskey = { id: 'A', clientDataJSON: 'A', authenticatorData: 'A', signature: 'A' };
const nothing = () => ({});

/** Well-formed bodies of the calls about passkeys. */
export const passkeyBodies: Record<string, (things: Things) => object> = {
  'passkeys.list': nothing,
  'passkeys.begin': () => ({ password: 'not the password' }),
  'passkeys.add': () => ({ credential: { id: 'A', clientDataJSON: 'A', attestationObject: 'A' } }),
  'passkeys.rename': ({ passkey }) => ({ passkeyId: passkey, name: 'My phone' }),
  'passkeys.remove': ({ passkey }) => ({ passkeyId: passkey, password: 'not the password' }),
  'passkeys.beginEnter': nothing,
  'passkeys.enter': () => ({ credential: usedPasskey }),
  'passkeys.beginSignIn': nothing,
  'passkeys.signIn': () => ({ credential: usedPasskey }),
};
