import { type Metric, onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals';
import { openMetricsBuffer } from '../metrics-buffer.ts';
import { type MetricsEnvelope, metricsPath, type PageMetric, redactPath } from '../page-metrics.ts';

const toMetric = ({ name, value, id, navigationType }: Metric): PageMetric => ({
  metric: name,
  value,
  id,
  navigationType,
  timestamp: Date.now(),
  url: redactPath(location.pathname),
});

const type = 'application/json';

async function send(envelope: MetricsEnvelope): Promise<boolean> {
  const headers = { 'content-type': type };
  return (await fetch(metricsPath, { method: 'POST', headers, body: JSON.stringify(envelope) })).ok;
}

let isMeasuring = false;

/** Begins to measure this page's load; a second call in the same document does nothing. */
export function measureOnce(): void {
  if (isMeasuring) return;
  isMeasuring = true;
  const buffer = openMetricsBuffer({
    send,
    beacon: (envelope) => navigator.sendBeacon(metricsPath, new Blob([JSON.stringify(envelope)], { type })),
    // biome-ignore lint/suspicious/noConsole: what could not be sent is told to whoever looks, and to nobody else
    warn: (words) => console.warn(words),
  });
  const add = (metric: Metric) => buffer.add(toMetric(metric));
  for (const measure of [onLCP, onFCP, onCLS, onINP, onTTFB]) measure(add);
  addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && buffer.leave());
  addEventListener('pagehide', () => buffer.leave());
}
