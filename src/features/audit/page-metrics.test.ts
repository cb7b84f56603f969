import { describe, expect, it } from 'vitest';
import { rateMetric, redactPath } from './page-metrics.ts';

describe('a measurement of a page', () => {
  it.each([
    ['LCP', 2500, 'good'],
    ['LCP', 2501, 'needs-improvement'],
    ['LCP', 4000, 'needs-improvement'],
    ['LCP', 4001, 'poor'],
    ['FCP', 1800, 'good'],
    ['FCP', 3001, 'poor'],
    ['CLS', 0.1, 'good'],
    ['CLS', 0.11, 'needs-improvement'],
    ['CLS', 0.26, 'poor'],
    ['INP', 200, 'good'],
    ['INP', 501, 'poor'],
    ['TTFB', 800, 'good'],
    ['TTFB', 1801, 'poor'],
  ] as const)('%s of %d is %s', (name, value, rating) => {
    expect(rateMetric(name, value)).toBe(rating);
  });
  it('names its page without what is somebody’s', () => {
    expect(redactPath('/')).toBe('/');
    expect(redactPath('/albums/01a1fdfa-4600-75e8-8e81-b1ffa973d319/settings')).toBe('/albums/:id/settings');
    expect(redactPath('/magic-links/Bob7')).toBe('/magic-links/:id');
    expect(redactPath('/magic-links')).toBe('/magic-links');
  });
});
