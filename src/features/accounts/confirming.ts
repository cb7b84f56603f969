import { settingsOf } from '#features/settings/settings.ts';
import type { Context } from '#wire/context.ts';
import { type Claim, mailProof, signUp } from './joining/joining.ts';
import { bindBrowser } from './joining/proof.ts';
import type { Mailing } from './limits.ts';

export type { Claim } from './joining/joining.ts';

/** Mails the link and the code that prove an address, or that it is known already; the answer is the same. */
export const askForAccount = signUp;

/** Lets this browser use what a job mails within a time. @returns what it is known by */
export const bindToMail = async (context: Context, untilMailedMs: number): Promise<Buffer> =>
  bindBrowser(context, await settingsOf(context.engines), untilMailedMs);

/** As `askForAccount`, for somebody who is not here. @param ask.browser that was bound when they were @throws RATE_LIMITED */
export const mailForAccount = (
  context: Mailing,
  { email, browser, claim }: { email: string; browser: Buffer; claim: Claim },
): Promise<void> => mailProof(context, { email, bind: () => browser, claim });
