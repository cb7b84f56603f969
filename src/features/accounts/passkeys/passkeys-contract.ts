import * as z from 'zod';
import { boundedText, nameText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { promise, setUpPromise } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';
import { CurrentPassword, SessionGiven } from '../second-factor/second-factor-contract.ts';

const tags = ['accounts'];
const Nothing = z.object({});

/** Bytes of the browser's answer, in base64url. */
const bytes = (most: number) => boundedText(most).regex(/^[A-Za-z0-9_-]+$/);
const CredentialId = bytes(1400);

/** Answer of `navigator.credentials.create`. */
export const NewCredential = z.object({
  id: CredentialId,
  clientDataJSON: bytes(4000),
  attestationObject: bytes(8000),
});
export type NewCredential = z.infer<typeof NewCredential>;

/** Answer of `navigator.credentials.get`. */
export const UsedCredential = z.object({
  id: CredentialId,
  clientDataJSON: bytes(4000),
  authenticatorData: bytes(4000),
  signature: bytes(4000),
});
export type UsedCredential = z.infer<typeof UsedCredential>;

export const Passkey = z.object({
  id: Uuid,
  name: z.string(),
  createdAt: z.date(),
  lastUsedAt: z.date().nullable(),
});
export type Passkey = z.infer<typeof Passkey>;

export const PasskeyName = nameText(40, 'Use at most 40 characters', 1, 'Enter a name');

const Question = z.object({ challenge: z.string(), rpId: z.string() });
/** To use one of an account's own passkeys. */
export const OwnQuestion = Question.extend({ credentialIds: z.array(z.string()) });
/** To make a passkey; `credentialIds` are those that are there already. */
export const NewQuestion = OwnQuestion.extend({ userHandle: z.string(), email: z.string() });

/** Passkeys: they sign in by themselves, and count as the second factor. */
export const passkeysContract = {
  list: setUpPromise('none')
    .route({ method: 'GET', path: '/passkeys', tags })
    .input(Nothing.optional())
    .output(z.object({ passkeys: z.array(Passkey) })),
  begin: setUpPromise('none')
    .route({ method: 'POST', path: '/passkeys/begin', tags })
    .errors(refusing('CODE_REQUIRED'))
    .input(z.object({ password: CurrentPassword }))
    .output(NewQuestion),
  /** The first second factor of an account brings backup codes, which are said this once. */
  add: setUpPromise('none')
    .route({ method: 'POST', path: '/passkeys', tags })
    .errors(refusing('GONE'))
    .input(z.object({ credential: NewCredential }))
    .output(z.object({ backupCodes: z.array(z.string()) })),
  rename: setUpPromise('passkey')
    .route({ method: 'PATCH', path: '/passkeys/{passkeyId}', tags })
    .input(z.object({ passkeyId: Uuid, name: PasskeyName }))
    .output(Nothing),
  remove: setUpPromise('passkey')
    .route({ method: 'POST', path: '/passkeys/{passkeyId}/remove', tags })
    .errors(refusing('CODE_REQUIRED', 'SECOND_FACTOR_REQUIRED'))
    .input(z.object({ passkeyId: Uuid, password: CurrentPassword }))
    .output(Nothing),
  beginEnter: setUpPromise('none')
    .route({ method: 'POST', path: '/passkeys/enter/begin', tags })
    .input(Nothing.optional())
    .output(OwnQuestion),
  /** A passkey for what asks for a fresh code; it is good for ten minutes in this session. */
  enter: setUpPromise('none')
    .route({ method: 'POST', path: '/passkeys/enter', tags })
    .errors(refusing('GONE'))
    .input(z.object({ credential: UsedCredential }))
    .output(Nothing),
  beginSignIn: promise({ who: ['visitor', 'viewer', 'creator', 'admin'], subject: 'none' })
    .route({ method: 'POST', path: '/sign-in/passkey/begin', tags })
    .input(Nothing.optional())
    .output(Question),
  signIn: promise({ who: ['visitor', 'viewer', 'creator', 'admin'], subject: 'none' })
    .route({ method: 'POST', path: '/sign-in/passkey', tags })
    .errors(refusing('GONE'))
    .input(z.object({ credential: UsedCredential }))
    .output(SessionGiven),
};
