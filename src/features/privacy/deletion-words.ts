import { deletionGraceDays } from '#features/accounts/rules.ts';
import { formatBytes, formatCount, formatMoney } from '#kit/text.ts';
import type { DeletionEffects } from './contract.ts';

/** Tells what deleting the account does, the most important first; each line is true for these numbers. */
export function describeEffects(effects: DeletionEffects): string[] {
  const { links, albums, media, mediaBytes, fans, requests, credits, hasPlan, partnerCents, currency } = effects;
  return [
    links === 0
      ? 'You have no working links.'
      : `${formatCount(links, 'link stops', 'links stop')} working now, and open screens close.`,
    albums + media === 0
      ? `There is nothing in albums that would be erased after ${deletionGraceDays} days.`
      : `${formatCount(albums, 'album')} with ${formatCount(media, 'photo or video', 'photos and videos')} (${formatBytes(mediaBytes)}) will be erased after ${deletionGraceDays} days.`,
    describeBuyers(effects),
    ...(fans > 0
      ? [
          `${formatCount(fans, 'subscription to you ends', 'subscriptions to you end')} now. What was paid in the last 30 days goes back.`,
        ]
      : []),
    ...(requests > 0
      ? [
          `${formatCount(requests, 'custom request ends', 'custom requests end')} now, and what is held for it goes back.`,
        ]
      : []),
    ...describeBalance(effects),
    ...(partnerCents > 0
      ? [
          `${formatMoney(partnerCents, currency.toUpperCase())} of your share as a partner isn't paid out yet, and is lost.`,
        ]
      : []),
    ...(credits > 0 ? [`${formatCount(credits, 'unused credit is', 'unused credits are')} lost.`] : []),
    ...(hasPlan ? ["Your plan isn't renewed."] : []),
  ];
}

function describeBuyers({ buyers, refundCents, currency }: DeletionEffects): string {
  if (buyers === 0) return 'Nobody is owed a refund.';
  const money = formatMoney(refundCents, currency.toUpperCase());
  return `${formatCount(buyers, 'recent buyer gets', 'recent buyers get')} ${money} back after ${deletionGraceDays} days. It comes out of your balance.`;
}

function describeBalance({ balanceCents, canBePaid, currency }: DeletionEffects): string[] {
  const money = formatMoney(Math.abs(balanceCents), currency.toUpperCase());
  if (balanceCents < 0) return [`You owe ${money}. Deleting your account doesn't change that.`];
  if (balanceCents === 0) return [];
  return canBePaid
    ? [
        `You have ${money} that isn't paid out yet. What is left after refunds is paid out before your account is erased.`,
      ]
    : [`You have ${money} that can't be paid out, because your payout account isn't complete. Complete it first.`];
}
