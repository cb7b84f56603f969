import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isServer, notifyWhenAsked } from './teller.ts';

/** Lets a server tell how many it has refused, and how many of them within 50 ms from their head to the last byte of their no. */
if (isServer) {
  const beganAt = new WeakMap<object, number>();
  let [refused, refusedWithin50Ms] = [0, 0];
  subscribe('http.server.request.start', (message) => {
    beganAt.set((message as { request: IncomingMessage }).request, performance.now());
  });
  subscribe('http.server.response.finish', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (response.statusCode !== 503) return;
    refused++;
    if (performance.now() - (beganAt.get(request) ?? 0) <= 50) refusedWithin50Ms++;
  });
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  notifyWhenAsked(() => {
    // Before its head is read a request waits for the loop, like everything.
    const loopP99Ms = delay.percentile(99) / 1e6;
    delay.reset();
    return { refused, refusedWithin50Ms, loopP99Ms };
  });
}
