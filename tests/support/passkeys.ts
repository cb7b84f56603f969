import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { NewCredential, UsedCredential } from '#features/accounts/passkeys/passkeys-contract.ts';
import { advance, must } from './people.ts';
import type { Browser, TestApp } from './test-app.ts';

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();
const uint = (value: number, bytes: number) => {
  const made = Buffer.alloc(bytes);
  made.writeUIntBE(value, 0, bytes);
  return made;
};

/* As much of CBOR (RFC 8949) as an authenticator writes. */
const head = (major: number, length: number) =>
  length < 24 ? Buffer.from([(major << 5) | length]) : Buffer.from([(major << 5) | 24, length]);
const cborBytes = (data: Buffer) => Buffer.concat([head(2, data.length), data]);
const cborText = (text: string) => Buffer.concat([head(3, text.length), Buffer.from(text)]);
const cborNumber = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value));
const cborMap = (...pairs: (readonly [Buffer, Buffer])[]) => Buffer.concat([head(5, pairs.length), ...pairs.flat()]);

const present = 0x01;
const verified = 0x04;
const withKey = 0x40;

/** What a page says to its authenticator: another site, or nobody who proves to be its owner. */
export interface Way {
  origin?: string;
  rpId?: string;
  isVerified?: boolean;
}

/** A passkey without a device (WebAuthn Level 3 §6): a key on P-256, no attestation and, as on phones, a counter that stays at 0. */
export function openPasskey(app: TestApp) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  const { origin: ours, hostname } = new URL(app.engines.installation.publicUrl);
  const clientData = (type: string, challenge: string, { origin = ours }: Way) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authData = (flags: number, counter: number, { rpId = hostname, isVerified = true }: Way) =>
    Buffer.concat([sha256(rpId), Buffer.from([flags | present | (isVerified ? verified : 0)]), uint(counter, 4)]);
  const coseKey = cborMap(
    [cborNumber(1), cborNumber(2)],
    [cborNumber(3), cborNumber(-7)],
    [cborNumber(-1), cborNumber(1)],
    [cborNumber(-2), cborBytes(Buffer.from(x, 'base64url'))],
    [cborNumber(-3), cborBytes(Buffer.from(y, 'base64url'))],
  );
  return {
    id: id.toString('base64url'),
    /** Answers `navigator.credentials.create`. */
    create(challenge: string, way: Way = {}): NewCredential {
      const key = Buffer.concat([Buffer.alloc(16), uint(id.length, 2), id, coseKey]);
      const object = cborMap(
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap()],
        [cborText('authData'), cborBytes(Buffer.concat([authData(withKey, 0, way), key]))],
      );
      return {
        id: id.toString('base64url'),
        clientDataJSON: clientData('webauthn.create', challenge, way).toString('base64url'),
        attestationObject: object.toString('base64url'),
      };
    },
    /** Answers `navigator.credentials.get`. */
    get(challenge: string, way: Way = {}): UsedCredential {
      const data = clientData('webauthn.get', challenge, way);
      const authenticatorData = authData(0, 0, way);
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(data)]), privateKey);
      return {
        id: id.toString('base64url'),
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signature.toString('base64url'),
      };
    },
  };
}
export type TestPasskey = ReturnType<typeof openPasskey>;

/** Adds a passkey to whoever is signed in. @returns it, with the backup codes that it brought */
export async function addPasskey(
  app: TestApp,
  browser: Browser,
  password: string,
): Promise<{ passkey: TestPasskey; backupCodes: string[] }> {
  const passkey = openPasskey(app);
  const { challenge } = await must(app, 'passkeys.begin', { password }, browser);
  const { backupCodes } = await must(app, 'passkeys.add', { credential: passkey.create(challenge) }, browser);
  // The next challenge is newer than this one.
  advance(app, 1);
  return { passkey, backupCodes };
}

/** A challenge of this moment, which is no other one's. */
export async function askToSignIn(app: TestApp, browser: Browser): Promise<string> {
  advance(app, 1);
  return (await must(app, 'passkeys.beginSignIn', {}, browser)).challenge;
}
