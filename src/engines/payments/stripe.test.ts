import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { withDeadline } from '#engines/deadline.ts';
import { openStripe } from './stripe.ts';
import type { StripeSettings } from './stripe-ask.ts';

/** Payments by a provider that is played by a server of ours. */
const openAt = (port: number, timeoutMs: number) =>
  openStripe({
    realm: { provider: 'stripe', livemode: false },
    place: 'nowhere',
    connect: async () => ({ secretKey: 'sk_test_silent', host: { host: '127.0.0.1', port } }),
    secrets: async () => ({}),
    timeoutMs,
  } as StripeSettings);

it('gives up on a provider that says nothing, after one more try', async () => {
  let calls = 0;
  const server = createServer(() => {
    calls += 1;
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const payments = openAt(port, 200);
  await expect(payments.findCheckout('cs_test_silent')).rejects.toMatchObject({ name: 'PaymentsAway' });
  expect(calls).toBe(2);
  server.closeAllConnections();
  server.close();
});

it('waits for an answer that trickles no longer than whoever asks may go on', async () => {
  const trickling = new Set<NodeJS.Timeout>();
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    trickling.add(setInterval(() => response.write(' '), 5));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const payments = openAt((server.address() as AddressInfo).port, 60_000);
  const asked = withDeadline(50, () => payments.findCheckout('cs_test_trickling'));
  await expect(asked).rejects.toMatchObject({ name: 'PaymentsAway' });
  for (const timer of trickling) clearInterval(timer);
  server.closeAllConnections();
  server.close();
});
