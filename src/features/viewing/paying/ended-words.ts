import type { OrderRow } from '#features/orders/orders-store.ts';
import { opens, wasPaid } from '#features/orders/rules.ts';
import { describeSaleEnd, type SaleEnd } from '#features/sales/rules.ts';
import { formatMoney } from '#kit/text.ts';

/** What the page says to which a payment leads, where what it was for was taken away. */
export interface EndedWords {
  title: string;
  text: string;
}

/** Ends that close what was paid for as well; by the others whoever has paid is let in all the same. */
const closing: readonly SaleEnd[] = ['seller_gone', 'viewer_blocked', 'taken_down', 'album_deleted', 'link_revoked'];

/** Returns whether somebody who has paid for a look at a link can't have it any more. */
const isClosedBy = (end: SaleEnd | undefined, { kind, isOnPage }: Pick<OrderRow, 'kind' | 'isOnPage'>): boolean =>
  end !== undefined && closing.includes(end) && kind !== 'fan_sub' && kind !== 'request' && !isOnPage;

type Ended = Pick<OrderRow, 'kind' | 'state' | 'isOnPage' | 'amountCents' | 'currency' | 'endedWhy'>;

/** Of a sale that was over before it was paid. */
function wordsBeforePaying({ kind, state, amountCents, currency }: Ended, why: SaleEnd): EndedWords {
  const sentence = describeSaleEnd(why);
  if (wasPaid(state)) {
    const amount = formatMoney(amountCents, currency.toUpperCase());
    const back = `${sentence} Your payment arrived after that, so all of it, ${amount}, goes back to your card.`;
    const more = kind === 'fan_sub' ? ' The subscription is cancelled.' : '';
    return { title: 'Your payment goes back to you', text: back + more };
  }
  const isSure = state === 'expired' || state === 'failed';
  const money = isSure
    ? 'Nothing was charged.'
    : 'If your bank still makes this payment, all of it goes back to your card.';
  return { title: 'No longer for sale', text: `${sentence} ${money}` };
}

/**
 * What is said of a payment whose sale has ended.
 * @param end what has ended it by now, whether it was paid before or not
 * @param money what becomes of the money of whoever has paid before, in a sentence; empty where that is not known
 * @returns undefined where nothing has, or it makes no difference to whoever has paid
 */
export function wordsOfEnded(order: Ended, end: SaleEnd | undefined, money: string): EndedWords | undefined {
  if (order.endedWhy !== null) return wordsBeforePaying(order, order.endedWhy);
  if (end === undefined || !opens(order.state) || !isClosedBy(end, order)) return undefined;
  return { title: 'Access ended', text: `${describeSaleEnd(end)} ${money}`.trim() };
}
