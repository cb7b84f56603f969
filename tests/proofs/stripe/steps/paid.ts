import type { Step } from '../step.ts';
import { booked, hersOf, kindOf, orderOf } from './scenes.ts';

/** Takes payments by card, and reads to the cent what the books say of them. */
export const paid: Step[] = [
  {
    name: 'a tip that is paid',
    async run(side) {
      const before = await hersOf(side);
      const tip = await side.people.pay(orderOf(side, 'tip'), 'good');
      const passedOn = await side.payments.findPassedOn(tip.chargeId);
      return {
        ids: [kindOf(tip.paymentId), kindOf(tip.chargeId), kindOf(passedOn?.transferId)],
        lines: await booked(side, tip, 3),
        passedOn: [passedOn?.leftCents ?? 0, passedOn?.feeLeftCents ?? 0],
        hers: (await hersOf(side)) - before,
        failures: (await side.payments.listFailures(tip.paymentId)).length,
      };
    },
  },
  {
    name: 'a tip of the least amount',
    async run(side) {
      const tip = await side.people.pay(orderOf(side, 'least', { amountCents: 500 }), 'good');
      return { lines: await booked(side, tip, 3) };
    },
  },
  {
    name: 'a pack that is paid',
    async run(side) {
      const before = await hersOf(side);
      const pack = await side.people.payOwn({ orderId: `${side.run}-pack`, amountCents: 999 }, 'good');
      return { lines: await booked(side, pack, 1), hers: (await hersOf(side)) - before };
    },
  },
  {
    name: 'a card that is declined',
    async run(side) {
      const before = await hersOf(side);
      const { paymentId } = await side.people.pay(orderOf(side, 'declined'), 'declined');
      const failures = await side.payments.listFailures(paymentId);
      return {
        failures: failures.map(({ chargeId, card }) => [kindOf(chargeId), card !== undefined]),
        hers: (await hersOf(side)) - before,
      };
    },
  },
];
