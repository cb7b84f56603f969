import { formatMoney } from '#kit/text.ts';
import type { FollowedRequest, OwnRequest } from '../contract.ts';
import { describeDays } from '../moves/request-words.ts';

type Shown = Pick<
  FollowedRequest,
  | 'state'
  | 'isCounter'
  | 'offeredCents'
  | 'agreedCents'
  | 'currency'
  | 'dueAt'
  | 'dueDays'
  | 'endReason'
  | 'wasRevised'
  | 'refundedCents'
>;

/** "3 May" or "May 3", as whoever reads it is used to. */
export const formatDay = (at: Date | null): string =>
  at === null ? '' : new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long' }).format(at);

/** What went back or is on its way, to whoever gets it. */
const returnedToYou = {
  back: (amount: string) => `${amount} went back to the card. Banks usually need 5 to 10 working days to show it.`,
  onWay: (amount: string) => `Your refund of ${amount} is on its way.`,
} as const;

/** The same to the creator. */
const returnedToBuyer = {
  back: (amount: string) => `${amount} went back to the buyer.`,
  onWay: (amount: string) => `The buyer's refund of ${amount} is on its way.`,
} as const;

/** What the words about a request are made of. @param reader who reads them */
export function textsOf(
  request: Shown & Partial<Pick<FollowedRequest & OwnRequest, 'creatorName' | 'canOpen'>>,
  reader: 'buyer' | 'creator',
) {
  const { offeredCents, agreedCents, currency, dueAt, dueDays, refundedCents, state } = request;
  const format = (cents: number) => formatMoney(cents, currency.toUpperCase());
  const onWayCents = state === 'refunded' ? Math.max(0, (agreedCents ?? 0) - refundedCents) : 0;
  const words = reader === 'buyer' ? returnedToYou : returnedToBuyer;
  const returned = [
    ...(refundedCents > 0 ? [words.back(format(refundedCents))] : []),
    ...(onWayCents > 0 ? [words.onWay(format(onWayCents))] : []),
  ].join(' ');
  return {
    ...request,
    creatorName: request.creatorName ?? '',
    amount: format(agreedCents ?? offeredCents),
    day: formatDay(dueAt),
    within: describeDays(dueDays),
    returned,
  };
}
