import { deletionGraceDays } from '#features/accounts/rules.ts';
import { describeSold } from '#features/orders/sold-words.ts';
import { formatCount, isolate } from '#kit/text.ts';
import type { MyEffects } from './my-data-contract.ts';

/** Tells what erasing somebody without an account does, the most important first; each line is true for these numbers. */
export function describeMyEffects(effects: MyEffects): string[] {
  const { subscriptions, passes, accesses, requests, disputes, visits, payments, isAccount } = effects;
  return [
    ...describeLosing(effects),
    ...(subscriptions.length > 0
      ? [
          `Your subscriptions to ${subscriptions.map(isolate).join(', ')} aren't renewed, and end after ${deletionGraceDays} days at the latest. What was paid for them doesn't go back.`,
        ]
      : []),
    ...(passes > 0 ? [`${formatCount(passes, 'free pass ends', 'free passes end')}.`] : []),
    ...(accesses > 0
      ? [
          `${formatCount(accesses, 'album that a creator opened for you closes', 'albums that creators opened for you close')}.`,
        ]
      : []),
    `${visits === 0 ? 'Your' : formatCount(visits, 'visit')}${visits === 0 ? ' visits' : ''}, your browsers, and what you wrote to creators are erased. Links for one person may not open again.`,
    ...(requests > 0
      ? [
          `${formatCount(requests, 'custom request is', 'custom requests are')} not finished. We wait for the end before we erase you.`,
        ]
      : []),
    ...(disputes > 0
      ? ['A payment is disputed with your bank. What is about it is kept until the bank has decided.']
      : []),
    ...(payments > 0
      ? [
          `The ${payments === 1 ? 'record of your payment is' : `records of your ${payments} payments are`} kept for 7 years, as the law asks, without your name and address.`,
        ]
      : []),
    'Marks by which a leaked copy can be traced stay, without anything that leads to you.',
    ...(isAccount ? ['Your creator account stays. Delete it in its profile, under Privacy & data.'] : []),
  ];
}

function describeLosing({ purchases, losing }: MyEffects): string[] {
  if (purchases === 0) return [];
  const named = losing.map(({ kind, creatorName }) => describeSold(kind, creatorName));
  const more = purchases - named.length;
  return [
    `What you bought won't open any more, and isn't refunded: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
  ];
}
