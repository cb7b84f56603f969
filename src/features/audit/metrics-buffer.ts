import type { MetricsEnvelope, PageMetric } from './page-metrics.ts';

const debounceMs = 1000;
/** More is not kept: a page that cannot send has other troubles. */
const keptMax = 100;

interface Ways {
  /** @throws or answers false when it was not taken */
  send(envelope: MetricsEnvelope): Promise<boolean>;
  /** For a page that is being left; nobody hears whether it came. */
  beacon(envelope: MetricsEnvelope): boolean;
  warn(words: string): void;
}

const envelopeOf = (data: PageMetric[]): MetricsEnvelope => ({
  provider: 'web-vitals',
  event_type: 'performance_metrics',
  data,
});

/**
 * Collects measurements and sends them together, a second after the last one. What was not taken goes with the next ones; what
 * is left when the page goes away is sent by beacon.
 */
export function openMetricsBuffer({ send, beacon, warn }: Ways) {
  let waiting: PageMetric[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const take = () => {
    clearTimeout(timer);
    timer = undefined;
    const taken = waiting;
    waiting = [];
    return taken;
  };
  const putBack = (data: readonly PageMetric[]) => {
    waiting = [...data, ...waiting].slice(-keptMax);
  };
  const flush = async () => {
    const data = take();
    if (data.length === 0) return;
    const isTaken = await send(envelopeOf(data)).catch(() => false);
    if (isTaken) return;
    putBack(data);
    warn('Performance metrics were not sent; they go with the next ones.');
  };
  return {
    add(metric: PageMetric): void {
      waiting = [...waiting, metric].slice(-keptMax);
      clearTimeout(timer);
      timer = setTimeout(() => void flush(), debounceMs);
    },
    /** The page is being left. */
    leave(): void {
      const data = take();
      if (data.length > 0 && !beacon(envelopeOf(data))) putBack(data);
    },
  };
}
