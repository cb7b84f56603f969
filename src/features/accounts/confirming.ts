import { settingsOf } from '#features/settings/settings.ts';
import type { Context } from '#wire/context.ts';
import { mailProof, signUp } from './joining/joining.ts';
import { bindBrowser } from './joining/proof.ts';
import type { Mailing } from './limits.ts';

/** Mails the link and the code that prove an address, or that it is known already; the answer is the same. */
export const askForAccount = signUp;

/** Lets this browser use what a job mails later. @returns what it is known by */
export const bindToMail = async (context: Context): Promise<Buffer> =>
  bindBrowser(context, await settingsOf(context.engines));

/** As `askForAccount`, for somebody who is not here. @param browser that was bound when they were @throws RATE_LIMITED */
export const mailForAccount = (context: Mailing, email: string, browser: Buffer): Promise<void> =>
  mailProof(context, { email, bind: () => browser });
