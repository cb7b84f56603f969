import { formatMoney } from '#kit/text.ts';
import type { FollowedRequest, OwnRequest } from '../contract.ts';

type Shown = Pick<
  FollowedRequest,
  | 'state'
  | 'isCounter'
  | 'offeredCents'
  | 'agreedCents'
  | 'currency'
  | 'dueAt'
  | 'endReason'
  | 'wasRevised'
  | 'refundedCents'
>;

/** "3 May" or "May 3", as whoever reads it is used to. */
export const tellDay = (at: Date | null): string =>
  at === null ? '' : new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long' }).format(at);

/** What the words about a request are made of. */
export function toldOf(request: Shown & Partial<Pick<FollowedRequest & OwnRequest, 'creatorName'>>) {
  const { offeredCents, agreedCents, currency, dueAt, refundedCents, state } = request;
  const tell = (cents: number) => formatMoney(cents, currency.toUpperCase());
  const isOnWay = state === 'refunded' && refundedCents === 0 && agreedCents !== null;
  const returned =
    refundedCents > 0
      ? `${tell(refundedCents)} went back to the card. Banks usually need 5 to 10 working days to show it.`
      : isOnWay
        ? `Your refund of ${tell(agreedCents)} is on its way.`
        : '';
  return {
    ...request,
    creatorName: request.creatorName ?? '',
    amount: tell(agreedCents ?? offeredCents),
    day: tellDay(dueAt),
    returned,
  };
}
