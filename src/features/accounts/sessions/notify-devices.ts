import type { Tx } from '#engines/database/work.ts';
import { newDeviceEmail } from '#features/notices/emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { formatMomentIn } from '#kit/time.ts';
import type { Context } from '#wire/context.ts';
import type { NewSession } from '../browser-session.ts';
import type { Account } from '../store.ts';

export const securityLink = ({ engines }: Pick<Context, 'engines'>): string =>
  `${engines.installation.publicUrl}/profile/security`;

/** Tells somebody that their account was signed in to from a kind of device or a country that is new to it. */
export async function notifyNewDevice(
  context: Context,
  tx: Tx,
  account: Account,
  { device, country }: NewSession,
): Promise<void> {
  const { engines, now } = context;
  const message = newDeviceEmail({
    device,
    country,
    at: formatMomentIn(now, account.timeZone),
    securityLink: securityLink(context),
  });
  await queueEmail(tx, engines.jobs, { userId: account.id, to: account.email, now, ...message });
}
