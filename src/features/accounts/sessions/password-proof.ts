import type { Tx } from '#engines/database/work.ts';
import { passwordEmail } from '#features/notices/emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import type { Settings } from '#features/settings/rules.ts';
import { makeProof } from '../joining/proof.ts';
import type { Mailing } from '../limits.ts';
import type { Account } from '../store.ts';

/** Mails a link and a code for a new password; for no account as much is done, and nobody is mailed. */
export async function mailPasswordProof(
  context: Mailing,
  tx: Tx,
  ask: { email: string; account: Account | undefined; browser: Buffer; settings: Settings },
): Promise<void> {
  const { engines, now } = context;
  const { email, account, browser, settings } = ask;
  const userId = account?.status === 'deleted' ? undefined : account?.id;
  const { token, code } = await makeProof(context, tx, { userId, purpose: 'password', browser, settings });
  if (account === undefined || userId === undefined) return;
  const message = passwordEmail({
    link: `${engines.installation.publicUrl}/auth?action=set-password&email=${encodeURIComponent(email)}#${token}`,
    code,
    linkMinutes: settings['accounts.linkMinutes'],
    codeMinutes: settings['accounts.codeMinutes'],
    isFirst: account.passwordHash === null,
  });
  await queueEmail(tx, engines.jobs, { userId, to: email, now, ...message });
}
