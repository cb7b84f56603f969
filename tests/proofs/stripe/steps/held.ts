import { accountOf, NotTried, type Side } from '../side.ts';
import type { Step } from '../step.ts';
import { booked, endOf, hersOf, kindOf, orderOf } from './scenes.ts';

const amountCents = 4000;
const heldOrder = (side: Side, name: string) =>
  orderOf(side, name, { kind: 'request', productName: 'Custom request', heldFor: `${side.run}-${name}`, amountCents });

/** Holds what is paid for custom work, and lets it go. */
export const held: Step[] = [
  {
    name: 'a request that is held, released too much and then right',
    async run(side) {
      const before = await hersOf(side);
      const paid = await side.people.pay(heldOrder(side, 'release'), 'good');
      const whileHeld = (await hersOf(side)) - before;
      const release = { chargeId: paid.chargeId, accountId: accountOf(side), currency: 'usd' };
      const requestId = `${side.run}-release`;
      const refused = await endOf(side.payments.release({ ...release, requestId, amountCents: amountCents + 1 }));
      // The first answer to a key stays, a no as well: what was refused is asked for by another one.
      const underTheSameKey = await endOf(side.payments.release({ ...release, requestId, amountCents: 3600 }));
      const right = { ...release, requestId, amountCents: 3600, refusals: 1 };
      const { transferId } = await side.payments.release(right);
      const again = await side.payments.release(right);
      return {
        whileHeld,
        refused,
        underTheSameKey,
        isFound: (await side.payments.findMade({ kind: 'release', requestId })) === transferId,
        transfer: kindOf(transferId),
        isOnce: again.transferId === transferId,
        restIsRefused: await endOf(
          side.payments.release({ ...right, requestId: `${side.run}-rest`, amountCents: 401 }),
        ),
        lines: await booked(side, paid, 2),
        hers: (await hersOf(side)) - before,
      };
    },
  },
  {
    name: 'a request that is given back while it is held',
    async run(side) {
      const before = await hersOf(side);
      const paid = await side.people.pay(heldOrder(side, 'undone'), 'good');
      const refund = { refundId: `${side.run}-undone`, orderId: `${side.run}-undone`, paymentId: paid.paymentId };
      await side.payments.refund({ ...refund, amountCents, reason: 'requested_by_customer', isHeld: true });
      return { lines: await booked(side, paid, 2), hers: (await hersOf(side)) - before };
    },
  },
  {
    name: 'a release that is taken back from an account that has not so much',
    async run(side) {
      const accountId = accountOf(side);
      const paid = await side.people.pay({ ...heldOrder(side, 'beyond'), amountCents: 90_000 }, 'good');
      const release = { requestId: `${side.run}-beyond`, chargeId: paid.chargeId, accountId, currency: 'usd' };
      const { transferId } = await side.payments.release({ ...release, amountCents: 81_000 });
      const before = await hersOf(side);
      const available = (await side.payments.balance(accountId)).available.get('usd') ?? 0;
      if (available >= 81_000) throw new NotTried('the account has as much available');
      const back = { refundId: `${side.run}-beyond`, transferId, amountCents: 81_000 };
      return { refused: await endOf(side.payments.takeGivenBack(back)), hers: (await hersOf(side)) - before };
    },
  },
];
