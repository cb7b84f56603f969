import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { connectPayouts, post, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
let app: TestApp;
let shared: SharedAlbum;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  app.engines.sandbox?.tellTo(undefined);
});
afterAll(() => app.close());

/** A viewer of this network who stands before the price. */
async function comeTo(slug: string, address: string): Promise<Browser> {
  const browser = { ...newBrowser(), address };
  await tapDoor(app, slug, browser);
  return browser;
}

const timesOf = <T>(count: number, make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, make));

describe('who wants to pay', () => {
  it('comes one after the other where very many come from one network, and keeps nobody of another waiting', async () => {
    const { slug } = await shared.makeLink(tipToOpen(1000));
    const network = '203.0.113.70';
    const browsers = await timesOf(9, () => comeTo(slug, network));
    const other = await comeTo(slug, '203.0.113.71');
    const taps = browsers.flatMap((browser) => Array.from({ length: 10 }, () => tapPay(app, slug, { ...browser })));
    const elsewhere = tapPay(app, slug, other);
    const answers = (await Promise.all(taps)).map(({ status, body }) => [status, body.message]);
    expect((await elsewhere).status).toBe(200);
    const refused = answers.filter(([status]) => status !== 200);
    expect(refused).toEqual(Array(10).fill([503, "We're very busy right now. Please try again."]));
  });

  it('is slowed down with all of their network by trying addresses out', async () => {
    const { slug } = await shared.makeLink(tipToOpen(1000));
    const network = '203.0.113.80';
    const timeOf = async (browser: Browser) => {
      const before = performance.now();
      await post(app, `/api/view/${slug}/open`, {}, browser);
      return performance.now() - before;
    };
    const browsers = await timesOf(8, () => comeTo(slug, network));
    const other = await comeTo(slug, '203.0.113.81');
    for (const browser of browsers) await timesOf(9, () => tapPay(app, 'AAAAAAAAAAAAAAAAAAAAAA', { ...browser }));
    const [first] = browsers;
    if (first === undefined) throw new Error('nobody came');
    expect(await timeOf(first)).toBeGreaterThan((await timeOf(other)) + 1000);
  });
});
