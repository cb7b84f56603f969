import type { Paid, Side } from '../side.ts';
import type { Step } from '../step.ts';
import { booked, endOf, hersOf, kindOf, linesOf, orderOf } from './scenes.ts';

const refundOf = (side: Side, { paymentId }: Paid, name: string, amountCents: number) =>
  side.payments.refund({
    refundId: `${side.run}-${name}`,
    orderId: `${side.run}-refunded`,
    paymentId,
    amountCents,
    reason: 'requested_by_customer',
  });

const isFound = async (side: Side, { paymentId }: Paid, name: string): Promise<boolean> =>
  (await side.payments.findMade({ kind: 'refund', refundId: `${side.run}-${name}`, paymentId })) !== undefined;

/** Gives payments back: by the app, and from the dashboard. */
export const refunds: Step[] = [
  {
    name: 'a tip that is given back in three parts, one from the dashboard',
    async run(side) {
      const before = await hersOf(side);
      const tip = await side.people.pay(orderOf(side, 'refunded'), 'good');
      await refundOf(side, tip, 'part', 333);
      await refundOf(side, tip, 'part', 333);
      const afterPart = await side.payments.findPassedOn(tip.chargeId);
      await side.people.refund(tip, 1000);
      const tooMuch = await endOf(refundOf(side, tip, 'too-much', 2000));
      await refundOf(side, tip, 'rest', 1166);
      return {
        tooMuch,
        isPartFound: await isFound(side, tip, 'part'),
        isTooMuchFound: await isFound(side, tip, 'too-much'),
        oncePart: [afterPart?.leftCents ?? 0, afterPart?.feeLeftCents ?? 0],
        lines: await booked(side, tip, 12),
        hers: (await hersOf(side)) - before,
        onceMore: await endOf(refundOf(side, tip, 'once-more', 1)),
      };
    },
  },
  {
    name: 'a pack that is given back',
    async run(side) {
      const pack = await side.people.payOwn({ orderId: `${side.run}-pack-back`, amountCents: 999 }, 'good');
      const { paymentId } = pack;
      const refund = { refundId: `${side.run}-pack`, orderId: `${side.run}-pack-back`, paymentId, amountCents: 999 };
      const asCreators = await endOf(
        side.payments.refund({ ...refund, refundId: `${side.run}-x`, reason: 'duplicate' }),
      );
      await side.payments.refund({ ...refund, reason: 'duplicate', isOwnSale: true });
      return { asCreators, lines: await booked(side, pack, 2) };
    },
  },
];

/** Gives back what was paid from a bank account: its names are others, and so is the fee, which is not looked at here. */
export const notByCard: Step = {
  name: 'a payment that is not by card, given back from the dashboard',
  expects: {
    charge: 'py',
    lines: [
      ...['application_fee 249', 'application_fee_refund -100', 'charge 2499', 'refund -1000'],
      ...['transfer -2499', 'transfer_refund 1000'],
    ],
    left: [1499, 149],
  },
  async run(side) {
    const paid = await side.people.payByBank(orderOf(side, 'bank'));
    await side.people.refund(paid, 1000);
    await booked(side, paid, 6);
    const lines = (await linesOf(side, paid.chargeId)).map(({ kind, amountCents }) => `${kind} ${amountCents}`);
    const passedOn = await side.payments.findPassedOn(paid.chargeId);
    const left = [passedOn?.leftCents ?? 0, passedOn?.feeLeftCents ?? 0];
    return { charge: kindOf(paid.chargeId), lines: lines.sort(), left };
  },
};
