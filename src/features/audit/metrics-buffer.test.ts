import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openMetricsBuffer } from './metrics-buffer.ts';
import type { MetricsEnvelope, PageMetric } from './page-metrics.ts';

const measured = (metric: PageMetric['metric']): PageMetric => ({
  metric,
  value: 100,
  id: `v1-${metric}`,
  navigationType: 'navigate',
  timestamp: 1,
  url: '/',
});

let sent: MetricsEnvelope[] = [];
let beacons: MetricsEnvelope[] = [];
let isTaken = true;
const namesOf = (envelopes: readonly MetricsEnvelope[]) =>
  envelopes.map(({ data }) => data.map(({ metric }) => metric));
const open = () =>
  openMetricsBuffer({
    send: async (envelope) => {
      sent.push(envelope);
      return isTaken;
    },
    beacon: (envelope) => beacons.push(envelope) > 0,
    warn: (words) => warned.push(words),
  });
let warned: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  [sent, beacons, warned, isTaken] = [[], [], [], true];
});
afterEach(() => void vi.useRealTimers());

it('sends measurements together, a second after the last one', async () => {
  const buffer = open();
  buffer.add(measured('TTFB'));
  await vi.advanceTimersByTimeAsync(900);
  buffer.add(measured('FCP'));
  await vi.advanceTimersByTimeAsync(999);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(namesOf(sent)).toEqual([['TTFB', 'FCP']]);
  expect(sent[0]).toMatchObject({ provider: 'web-vitals', event_type: 'performance_metrics' });
});

it('keeps what was not taken for the next ones, and warns', async () => {
  const buffer = open();
  isTaken = false;
  buffer.add(measured('LCP'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(warned).toHaveLength(1);
  isTaken = true;
  buffer.add(measured('CLS'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(namesOf(sent)).toEqual([['LCP'], ['LCP', 'CLS']]);
});

it('sends what is left by beacon when the page goes away, once', async () => {
  const buffer = open();
  buffer.add(measured('INP'));
  buffer.leave();
  buffer.leave();
  await vi.advanceTimersByTimeAsync(5000);
  expect(namesOf(beacons)).toEqual([['INP']]);
  expect(sent).toEqual([]);
});
