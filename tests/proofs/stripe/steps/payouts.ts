import { accountOf, eventually, type Side } from '../side.ts';
import type { Step } from '../step.ts';
import { endOf, kindOf, orderOf } from './scenes.ts';

const availableOf = async (side: Side) => (await side.payments.balance(accountOf(side))).available.get('usd') ?? 0;

async function payoutLines(side: Side): Promise<number[]> {
  const found: number[] = [];
  for (const list of side.payments.payouts(accountOf(side)))
    for await (const page of list)
      found.push(...page.filter(({ at }) => at >= side.startedAt).map(({ netCents }) => netCents));
  return found.sort((a, b) => a - b);
}

/** Pays out of a creator's account, to a bank that takes it and to one that does not. */
export const payouts: Step[] = [
  {
    name: 'a payout',
    async run(side) {
      const accountId = accountOf(side);
      await side.payments.stopOwnSchedule(accountId);
      await side.people.pay(orderOf(side, 'for-payout', { amountCents: 5000 }), 'available');
      const before = await availableOf(side);
      const order = { payoutId: `${side.run}-payout`, accountId, amountCents: 800, currency: 'usd' };
      const since = side.now();
      const made = await side.payments.payOut(order);
      const again = await side.payments.payOut(order);
      const found = await side.payments.findMadePayout({ payoutId: order.payoutId, accountId, since });
      const none = await side.payments.findMadePayout({ payoutId: `${side.run}-none`, accountId, since });
      return {
        id: kindOf(made.id),
        state: made.state,
        isOnce: again.id === made.id,
        isFound: found?.id === made.id,
        isNoneFound: none === undefined,
        taken: (await availableOf(side)) - before,
        tooMuch: await endOf(
          side.payments.payOut({ ...order, payoutId: `${side.run}-too-much`, amountCents: before + 100_000 }),
        ),
      };
    },
  },
  {
    name: 'a payout that the bank sends back',
    async run(side) {
      const accountId = accountOf(side);
      await side.people.pay(orderOf(side, 'for-failing', { amountCents: 5000 }), 'available');
      const before = await availableOf(side);
      const order = { payoutId: `${side.run}-failing`, accountId, amountCents: 700, currency: 'usd' };
      const id = await side.people.failPayout(accountId, async () => (await side.payments.payOut(order)).id);
      const failed = await eventually(side, 'the failure', async () => {
        const found = await side.payments.findPayout(accountId, id);
        return found.state === 'failed' ? found : undefined;
      });
      return {
        state: failed.state,
        isExplained: failed.failure !== undefined,
        left: (await availableOf(side)) - before,
        lines: await payoutLines(side),
      };
    },
  },
];
