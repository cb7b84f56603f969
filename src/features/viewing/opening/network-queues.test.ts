import { describe, expect, it } from 'vitest';
import { openNetworkQueues } from './network-queues.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 21, 12) + seconds * 1000);
const carrier = '203.0.113.7';

describe('newcomers of one network', () => {
  it('come sixty at once, then one after the other, and who would wait long is asked to come again', () => {
    const networkQueues = openNetworkQueues();
    const waits = Array.from({ length: 90 }, () => networkQueues.queue(carrier, at(0)));
    expect(waits.slice(0, 60)).toEqual(Array(60).fill(0));
    expect(waits.slice(60, 80)).toEqual(Array.from({ length: 20 }, (_, n) => 500 * (n + 1)));
    expect(waits.slice(80)).toEqual(Array(10).fill(undefined));
  });

  it('are never locked out: two come in each second for as long as there are more', () => {
    const networkQueues = openNetworkQueues();
    let letIn = 0;
    for (let second = 0; second < 300; second++)
      for (let n = 0; n < 10; n++) if (networkQueues.queue(carrier, at(second)) !== undefined) letIn++;
    expect(letIn).toBeGreaterThan(600);
    expect(letIn).toBeLessThan(700);
  });

  it('keep nobody of another network waiting; a /64 is one', () => {
    const networkQueues = openNetworkQueues();
    for (let n = 0; n < 90; n++) networkQueues.queue(`2001:db8:1:1::${n}`, at(0));
    expect(networkQueues.queue('2001:db8:1:1:9::1', at(0))).toBeUndefined();
    expect(networkQueues.queue('2001:db8:1:2::1', at(0))).toBe(0);
  });

  it.each(['127.0.0.1', '10.3.0.1', '172.18.0.1', '::1', '::ffff:192.168.1.4', 'fd00::1'])(
    'are not told apart behind %s, which is a proxy or this machine',
    (address) => {
      const networkQueues = openNetworkQueues();
      for (let n = 0; n < 90; n++) networkQueues.miss(address, at(0));
      const waits = Array.from({ length: 90 }, () => networkQueues.queue(address, at(0)));
      expect([new Set(waits), networkQueues.slow(address, at(0))]).toEqual([new Set([0]), 0]);
    },
  );
});

describe('taps that lead nowhere', () => {
  it('let the taps of their network wait longer and longer, five seconds at most, for an hour', () => {
    const networkQueues = openNetworkQueues();
    const slowAfter = (misses: number) => {
      for (let n = 0; n < misses; n++) networkQueues.miss(carrier, at(0));
      return networkQueues.slow(carrier, at(1));
    };
    expect([slowAfter(60), slowAfter(1), slowAfter(3), slowAfter(1000)]).toEqual([0, 250, 1000, 5000]);
    expect(networkQueues.slow('203.0.113.8', at(1))).toBe(0);
    expect(networkQueues.slow(carrier, at(3600))).toBe(0);
  });
});
