import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Figure, median } from './support/figures.ts';
import { type BenchOptions, say } from './support/options.ts';
import { openPhone, type Phone } from './support/phone.ts';
import { bootProduct } from './support/product.ts';

/** What a visitor meets first, on a phone on slow 4G; cold, in a fresh profile each time. */
interface Landing {
  lcpMs: number;
  cls: number;
  tbtMs: number;
  scriptBytes: number;
  allBytes: number;
}

/** When the largest thing of the first screen was painted. */
const readLcp = `new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
  .observe({ type: 'largest-contentful-paint', buffered: true }))`;

async function land(phone: Phone, url: string): Promise<Landing> {
  const visit = await phone.openPage('slow 4G');
  const sizes: { isScript: boolean; bytes: Promise<number> }[] = [];
  visit.page.on('requestfinished', (request) =>
    sizes.push({
      isScript: request.resourceType() === 'script',
      bytes: request.sizes().then(({ responseBodySize }) => responseBodySize),
    }),
  );
  try {
    await visit.page.goto(url, { waitUntil: 'load' });
    // The demo video comes a second after the page; nobody has clicked it.
    await visit.page.waitForTimeout(2500);
    const { cls, tbtMs } = await visit.vitals();
    const bytes = await Promise.all(sizes.map(async (one) => ({ ...one, bytes: await one.bytes })));
    const sum = (some: typeof bytes) => some.reduce((total, one) => total + one.bytes, 0);
    const lcpMs = await visit.until<number>(readLcp);
    return { lcpMs, cls, tbtMs, scriptBytes: sum(bytes.filter(({ isScript }) => isScript)), allBytes: sum(bytes) };
  } finally {
    await visit.close();
  }
}

/** The tightest page with the same first words: one answer, nothing beside it. */
async function serveTightest(): Promise<{ url: string; close(): void }> {
  const html =
    '<!doctype html><meta name=viewport content="width=device-width"><title>Landing</title><style>body{font:17px/1.5 serif;margin:80px 20px}</style><h1>Secure, No-Leak Private Albums</h1><p>Share photos and videos through a link that knows who it’s for.</p><a href="/auth">Start Free Trial</a>';
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

/** P13a and P13b: the landing page beside the tightest page. */
export async function measure({ rounds }: BenchOptions): Promise<Figure[]> {
  const [product, tightest, phone] = await Promise.all([bootProduct(), serveTightest(), openPhone()]);
  const [ours, theirs]: [Landing[], Landing[]] = [[], []];
  try {
    await product.demo();
    await product.untilIdle();
    for (let round = 1; round <= rounds; round++) {
      ours.push(await land(phone, `${product.url}/`));
      theirs.push(await land(phone, tightest.url));
      say(`round ${round} of ${rounds}`);
    }
  } finally {
    await phone.close();
    tightest.close();
    await product.remove();
  }
  return figuresOf(ours, theirs);
}

function figuresOf(ours: readonly Landing[], theirs: readonly Landing[]): Figure[] {
  const of = (all: readonly Landing[], key: keyof Landing, unit = 1) => median(all.map((one) => one[key] / unit));
  const less = { better: 'less', of: 'value', sets: 'exit' } as const;
  const figure = (what: string, more: Partial<Figure> & Pick<Figure, 'figure' | 'unit' | 'ours'>): Figure => ({
    part: 'landing',
    what,
    ...more,
  });
  return [
    figure('largest paint of / on slow 4G', {
      figure: 'P13a',
      unit: 's',
      ours: of(ours, 'lcpMs', 1000),
      comparator: { name: 'the tightest page', value: of(theirs, 'lcpMs', 1000) },
      bound: { gate: 2.5, goal: 1.8, ...less },
    }),
    figure('scripts of /, compressed', {
      figure: 'P13b',
      unit: 'KB',
      ours: of(ours, 'scriptBytes', 1000),
      bound: { gate: 115, goal: 40, ...less },
    }),
    figure('all of / before the video is clicked', {
      figure: 'P13b',
      unit: 'KB',
      ours: of(ours, 'allBytes', 1000),
      bound: { gate: 300, goal: 200, ...less },
    }),
    figure('how far things are pushed about', {
      figure: 'P13a',
      unit: 'CLS',
      ours: of(ours, 'cls'),
      bound: { gate: 0.01, goal: 0, ...less },
    }),
    figure('blocking time of /', { figure: 'P13a', unit: 'ms', ours: of(ours, 'tbtMs') }),
  ];
}
