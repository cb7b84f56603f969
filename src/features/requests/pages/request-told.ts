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

const toBuyer = {
  isBack: (amount: string) => `${amount} went back to the card. Banks usually need 5 to 10 working days to show it.`,
  isOnWay: (amount: string) => `Your refund of ${amount} is on its way.`,
};
const toCreator = {
  isBack: (amount: string) => `${amount} went back to the buyer.`,
  isOnWay: (amount: string) => `${amount} is on its way back to the buyer.`,
};

/** What the words about a request are made of. Whoever made it has no creator's name in it, and gets no refund. */
export function toldOf(request: Shown & Partial<Pick<FollowedRequest & OwnRequest, 'creatorName'>>) {
  const { offeredCents, agreedCents, currency, dueAt, refundedCents, state } = request;
  const tell = (cents: number) => formatMoney(cents, currency.toUpperCase());
  const isOnWay = state === 'refunded' && refundedCents === 0 && agreedCents !== null;
  const backCents = refundedCents > 0 ? refundedCents : isOnWay ? agreedCents : 0;
  const words = request.creatorName === undefined ? toCreator : toBuyer;
  const returned = backCents === 0 ? '' : (isOnWay ? words.isOnWay : words.isBack)(tell(backCents));
  return {
    ...request,
    creatorName: request.creatorName ?? '',
    amount: tell(agreedCents ?? offeredCents),
    day: tellDay(dueAt),
    returned,
  };
}
