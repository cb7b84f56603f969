import { minuteMs } from '#kit/time.ts';

export const backupCodeLength = 10;

/** So long after a right password its code can be given. */
export const codeWaitMs = 10 * minuteMs;
/** So long a code that was entered is good for what asks for one. */
export const codeFreshMs = 10 * minuteMs;
/** More wrong codes of strangers in an hour, and only a backup code lets a stranger in: those cannot be guessed. */
export const strangersCodes = { limit: 30, windowSeconds: 3600 };

/** A code as it was typed, without what people put between its parts. */
export const cleanCode = (typed: string): string => typed.toLowerCase().replace(/[\s-]/g, '');

/** Of which kind a cleaned code is, by its form. */
export function kindOfCode(code: string): 'totp' | 'backup' | undefined {
  if (/^\d{6}$/.test(code)) return 'totp';
  return code.length === backupCodeLength && /^[a-z2-9]+$/.test(code) ? 'backup' : undefined;
}

/** Returns whether a code was entered lately; not any more at the very instant. */
export const isCodeFresh = (codeAt: Date | null, now: Date): boolean =>
  codeAt !== null && now.getTime() - codeAt.getTime() < codeFreshMs;

/** A backup code in two parts, as it is shown. */
export const showBackupCode = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`;

/** A secret in groups of four, as it is typed in by hand. */
export const showSecret = (typed: string): string => typed.replace(/(.{4})(?=.)/g, '$1 ');
