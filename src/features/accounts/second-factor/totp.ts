import { createOTP } from '@better-auth/utils/otp';
import { newToken } from '#kit/ids.ts';
import { secondMs } from '#kit/time.ts';

const periodMs = 30 * secondMs;
/** Codes of the half minutes before and after count too: clocks differ, and people type (RFC 6238 §5.2). */
const stepsAround = [0, -1, 1];

/** A new secret: 25 base62 characters hold 148 bits, and make 40 to type in base32 (RFC 4226 §4 asks for 128). */
export const newTotpSecret = (): string => newToken(25);

/** The half minute that a moment is in. */
export const stepAt = (now: Date): number => Math.floor(now.getTime() / periodMs);

/**
 * The half minute that a code is of, when it is one of now, of just before or of just after.
 * @param after no code of that half minute or of one before it counts: one that was taken is not taken again
 */
export async function findStep(secret: string, code: string, now: Date, after: number): Promise<number | undefined> {
  const { hotp } = createOTP(secret);
  const steps = stepsAround.map((shift) => stepAt(now) + shift).filter((step) => step > after);
  const codes = await Promise.all(steps.map(hotp));
  return steps.find((_step, at) => codes[at] === code);
}

/** A secret as an authenticator app reads it out of a QR code, and as it is typed in there. */
export function describeSecret(secret: string, email: string): { address: string; typed: string } {
  const address = createOTP(secret).url('PrivateFans', email);
  return { address, typed: new URL(address).searchParams.get('secret') ?? '' };
}
