import * as z from 'zod';
import { boundedText } from '#kit/bounded-text.ts';

export const metricNames = ['LCP', 'FCP', 'CLS', 'INP', 'TTFB'] as const;
export type MetricName = (typeof metricNames)[number];
export type Rating = 'good' | 'needs-improvement' | 'poor';

/** Up to where a metric is good, and from where on it is poor: milliseconds, but for CLS. */
const thresholds: Record<MetricName, readonly [good: number, poor: number]> = {
  LCP: [2500, 4000],
  FCP: [1800, 3000],
  CLS: [0.1, 0.25],
  INP: [200, 500],
  TTFB: [800, 1800],
};

export function rateMetric(name: MetricName, value: number): Rating {
  const [good, poor] = thresholds[name];
  if (value <= good) return 'good';
  return value <= poor ? 'needs-improvement' : 'poor';
}

/** One measurement of one page. */
export const PageMetric = z.object({
  metric: z.enum(metricNames),
  value: z.number().min(0).max(1e7),
  id: boundedText(60),
  navigationType: boundedText(30),
  timestamp: z.number().min(0).max(1e14),
  /** The page's path, with `:id` for whatever is of one album or link. */
  url: boundedText(200),
});
export type PageMetric = z.infer<typeof PageMetric>;

/** How fast one page was by one metric. */
export interface PageVitals {
  page: string;
  metric: MetricName;
  samples: number;
  /** Three in four were no slower. */
  p75: number;
  good: number;
  poor: number;
}

/** What a page sends: several measurements at once. */
export const MetricsEnvelope = z.object({
  provider: z.literal('web-vitals'),
  event_type: z.literal('performance_metrics'),
  data: z.array(PageMetric).min(1).max(100),
});
export type MetricsEnvelope = z.infer<typeof MetricsEnvelope>;

/** Where they are sent. */
export const metricsPath = '/api/webhook_events';

const word = /^[a-z]{1,20}(-[a-z]{1,20}){0,4}$/;

/** A path of which nothing is left that belongs to somebody: steps that are no plain words are `:id`. */
export const redactPath = (pathname: string): string =>
  pathname
    .split('/')
    .map((step) => (step === '' || word.test(step) ? step : ':id'))
    .join('/')
    .slice(0, 200);
