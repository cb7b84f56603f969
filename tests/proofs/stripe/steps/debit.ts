import { accountOf } from '../side.ts';
import type { Step } from '../step.ts';
import { booked, endOf, hersOf, kindOf, orderOf } from './scenes.ts';

/** Takes the fee of a dispute from a creator's account, and gives it back. */
export const debit: Step = {
  name: 'a fee that is taken from an account and given back',
  async run(side) {
    const accountId = accountOf(side);
    const paid = await side.people.pay(orderOf(side, 'for-fee', { amountCents: 5000 }), 'available');
    const before = await hersOf(side);
    // The fee stands in the books under the payment that was disputed: any payment will do.
    const borne = { disputeId: `${side.run}-fee`, chargeId: paid.chargeId, accountId, currency: 'usd' };
    const tooMuch = await endOf(side.payments.takeFee({ ...borne, amountCents: 9_000_000 }));
    const taken = { ...borne, amountCents: 1500, refusals: 1 };
    const first = await side.payments.takeFee(taken);
    const again = await side.payments.takeFee(taken);
    const afterwards = (await hersOf(side)) - before;
    await side.people.fund();
    await side.payments.giveFeeBack({ ...borne, amountCents: 1500 });
    const { disputeId } = borne;
    const since = side.startedAt;
    const found = await Promise.all([
      side.payments.findMade({ kind: 'fee', disputeId, since }),
      side.payments.findMade({ kind: 'fee_back', disputeId, accountId, since }),
    ]);
    return {
      found: found.map(kindOf),
      tooMuch,
      id: kindOf(first),
      isOnce: first === again,
      afterwards,
      hers: (await hersOf(side)) - before,
      lines: await booked(side, paid, 5),
    };
  },
};
