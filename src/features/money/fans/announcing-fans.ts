import type { Engines } from '#engines/engines.ts';
import { fanPriceEmail, fanRenewsEmail } from '#features/notices/fan-emails.ts';
import { describeTerm, remindAgainMs, remindMs } from '#features/orders/fan-rules.ts';
import { formatDay, mailFan, moneyOf } from '#features/orders/notify-fans.ts';
import { takeAnnounced, takePriceRises } from './due-store.ts';

const amountOf = ({ currency, months }: { currency: string; months: number }, cents: number) =>
  describeTerm(moneyOf(cents, currency), months);

/** Announces the first renewal three days before, and then one a year; and tells of higher prices, each once. */
export async function announceFans(engines: Engines, now: Date): Promise<void> {
  const { database, payments } = engines;
  const times = { now, until: new Date(now.getTime() + remindMs), since: new Date(now.getTime() - remindAgainMs) };
  await database.work({ kind: 'system' }, async (tx) => {
    for (const fan of await takeAnnounced(tx, payments.realm, times))
      await mailFan(engines, tx, { ...fan, now }, (about) =>
        fanRenewsEmail({ ...about, amount: amountOf(fan, fan.amountCents), day: formatDay(fan.at) }),
      );
    for (const fan of await takePriceRises(tx, payments.realm))
      await mailFan(engines, tx, { ...fan, now }, (about) =>
        fanPriceEmail({
          ...about,
          amount: amountOf(fan, fan.amountCents),
          newAmount: amountOf(fan, fan.newCents),
        }),
      );
  });
}
