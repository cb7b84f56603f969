import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { openStripe, type StripeSettings } from './stripe.ts';

it('gives up on a provider that says nothing, after one more try', { timeout: 15_000 }, async () => {
  let calls = 0;
  const server = createServer(() => {
    calls += 1;
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const payments = openStripe({
    realm: { provider: 'stripe', livemode: false },
    place: 'nowhere',
    connect: async () => ({ secretKey: 'sk_test_silent', host: { host: '127.0.0.1', port } }),
    secrets: async () => ({}),
    timeoutMs: 200,
  } as StripeSettings);
  await expect(payments.findCheckout('cs_test_silent')).rejects.toMatchObject({ name: 'PaymentsAway' });
  expect(calls).toBe(2);
  server.closeAllConnections();
  server.close();
});
