import type { Tx } from '#engines/database/work.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { minuteMs } from '#kit/time.ts';
import type { Context } from '#wire/context.ts';
import { type Claim, mailProof, signUp } from './joining/joining.ts';
import { bindBrowser } from './joining/proof.ts';
import { type Mailing, takeMail } from './limits.ts';
import { findLastAsk, type LastAsk } from './security-store.ts';
import { mailPasswordProof } from './sessions/password-proof.ts';
import { type Account, findAccount } from './store.ts';

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

/** What somebody asked for who may wait for its code just now. */
export type WaitingAsk = Pick<LastAsk, 'purpose' | 'at'>;

/** Returns what an account has asked to have mailed, as long as the browser that asked would take its code; undefined after that. */
export async function findWaitingAsk({ engines, now }: Mailing, tx: Tx, userId: string): Promise<LastAsk | undefined> {
  const lifeMs = (await settingsOf(engines))['accounts.linkMinutes'] * minuteMs;
  const ask = await findLastAsk(tx, userId);
  return ask !== undefined && ask.at.getTime() + lifeMs > now.getTime() ? ask : undefined;
}

/**
 * Mails a new link and code to somebody whose first one never came. They hold in the browser that asked, as those before.
 * @returns the account and what it had asked for; undefined when it waits for nothing @throws RATE_LIMITED
 */
export async function mailCodeAgain(
  context: Mailing,
  userId: string,
): Promise<{ account: Account; ask: WaitingAsk } | undefined> {
  const { account, ask } = await context.asSystem(async (tx) => ({
    account: await findAccount(tx, userId),
    ask: await findWaitingAsk(context, tx, userId),
  }));
  if (account === undefined || ask === undefined || account.status === 'deleted') return undefined;
  const { email } = account;
  const { purpose, browserHash: browser, at } = ask;
  const invitationId = ask.invitationId ?? undefined;
  if (purpose === 'confirm') {
    await mailProof(context, { email, invitationId, bind: () => browser });
    return { account, ask: { purpose, at } };
  }
  await takeMail(context, 'mail_password_known', email);
  const settings = await settingsOf(context.engines);
  await context.asSystem((tx) => mailPasswordProof(context, tx, { email, account, browser, settings }));
  return { account, ask: { purpose, at } };
}
