import * as z from 'zod';
import { boundedText, secretText } from '#kit/bounded-text.ts';
import { promise, signedInPromise } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';
import { cleanCode, kindOfCode } from './code-rules.ts';

const tags = ['accounts'];
export const CurrentPassword = secretText(1000).min(1, 'Enter your password');

/** Our pages get a cookie; a caller without the page's header gets the same session as a bearer token. */
export const SessionGiven = z.object({
  token: z.string().optional(),
  /** The account was about to be deleted, and is kept by this sign-in. */
  isAccountKept: z.boolean().optional(),
});

const codeWords = 'Enter the 6 digits, or a backup code';

/** Six digits of the app, or a backup code, with or without what people put between its parts. */
export const SecondFactorCode = boundedText(40, codeWords)
  .overwrite(cleanCode)
  .refine((code) => kindOfCode(code) !== undefined, codeWords);

const Nothing = z.object({});
const BackupCodes = z.object({ backupCodes: z.array(z.string()) });
const changing = (path: `/${string}`) =>
  signedInPromise('none').errors(refusing('CONFLICT')).route({ method: 'POST', path, tags });

/** The second factor: codes of an authenticator app, and backup codes for when it is lost. */
export const secondFactorContract = {
  show: signedInPromise('none')
    .route({ method: 'GET', path: '/second-factor', tags })
    .input(Nothing.optional())
    .output(
      z.object({
        /** An authenticator app is set up. */
        isOn: z.boolean(),
        hasPasskey: z.boolean(),
        backupCodesLeft: z.int(),
        /** Until when no other code is asked for in this session; null when the next thing asks for one. */
        codeFreshUntil: z.date().nullable(),
      }),
    ),
  /** Makes a secret for the app: to scan, and to type in. It counts from its first code on. */
  begin: changing('/second-factor/begin')
    .input(z.object({ password: CurrentPassword }))
    .output(z.object({ address: z.string(), typed: z.string() })),
  /** The first code: from now on codes are asked for. The backup codes are said this once. */
  turnOn: changing('/second-factor')
    .input(z.object({ code: SecondFactorCode }))
    .output(BackupCodes),
  /** Without a code where a passkey was entered a moment ago. */
  renewBackupCodes: changing('/second-factor/backup-codes')
    .errors(refusing('CODE_REQUIRED', 'SECOND_FACTOR_REQUIRED'))
    .input(z.object({ password: CurrentPassword, code: SecondFactorCode.optional() }))
    .output(BackupCodes),
  remove: changing('/second-factor/remove')
    .input(z.object({ password: CurrentPassword, code: SecondFactorCode }))
    .output(Nothing),
  /** A code for what asks for a fresh one; it is good for ten minutes in this session. */
  enter: changing('/second-factor/enter')
    .input(z.object({ code: SecondFactorCode }))
    .output(Nothing),
  /** The second step of signing in. */
  signIn: promise({ who: ['visitor', 'viewer', 'creator', 'admin'], subject: 'none' })
    .route({ method: 'POST', path: '/sign-in/code', tags })
    .errors(refusing('GONE'))
    .input(z.object({ challenge: boundedText(120), code: SecondFactorCode }))
    .output(SessionGiven),
};
