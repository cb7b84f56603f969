import Stripe from 'stripe';
import { hookSecrets, type Side } from '../side.ts';
import type { Step } from '../step.ts';
import { endOf } from './scenes.ts';

const event = (more: object) =>
  JSON.stringify({ id: 'evt_proof', object: 'event', created: 1_790_000_000, livemode: false, account: null, ...more });

const signed = (payload: string, secret: string, timestamp?: number): string =>
  new Stripe('sk_test_none').webhooks.generateTestHeaderString({
    payload,
    secret,
    ...(timestamp !== undefined && { timestamp }),
  });

/** Events as they are signed, and what is found without any. */
export const hooks: Step[] = [
  {
    name: 'hooks by signature',
    expects: {
      good: 'cs_proof',
      unknownType: '',
      changed: 'none',
      ofAnotherHook: 'none',
      old: 'none',
      unsigned: 'none',
    },
    async run({ payments }: Side) {
      const body = event({ type: 'checkout.session.expired', data: { object: { id: 'cs_proof' } } });
      const bare = event({ type: 'balance.available', data: { object: { object: 'balance' } } });
      const secret = hookSecrets.stripe;
      const read = async (payload: string, signature: string) =>
        (await payments.verifyHook('stripe', Buffer.from(payload), signature))?.objectId ?? 'none';
      const good = signed(body, secret);
      return {
        good: await read(body, good),
        unknownType: await read(bare, signed(bare, secret)),
        changed: await read(body.replace('cs_proof', 'cs_other'), good),
        ofAnotherHook: await read(body, signed(body, hookSecrets['stripe-connect'])),
        old: await read(body, signed(body, secret, Math.floor(Date.now() / 1000) - 301)),
        unsigned: await read(body, ''),
      };
    },
  },
  {
    name: 'no hooks at all',
    async run(side) {
      const types = new Set<string>();
      const end = await endOf(
        (async () => {
          for await (const { type, createdAt } of side.payments.undelivered()) {
            types.add(type);
            if (createdAt < side.startedAt) break;
          }
        })(),
      );
      return { end, hasExpiredCheckout: types.has('checkout.session.expired') };
    },
  },
];
