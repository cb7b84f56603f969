import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startComparator } from './support/comparator.ts';
import { type Figure, median } from './support/figures.ts';
import { measureRate, type Rate, warmUp } from './support/load.ts';
import { findNginx, startNginx } from './support/nginx.ts';
import { type BenchOptions, say } from './support/options.ts';
import { bootProduct, type Product } from './support/product.ts';
import { shareDemo } from './support/studio.ts';
import { measureVideoRange } from './support/video-range.ts';
import { lendFull, openLink, type Viewer } from './support/viewer.ts';

const wantedBytes = 100_000;

export const comparators = {
  /** The same number of bytes out of memory, with nothing asked and nothing composed. */
  async node({ sizeBytes }: { sizeBytes: number }) {
    const bytes = Buffer.alloc(sizeBytes, 7);
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes.length });
      response.end(bytes);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return { says: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` } };
  },
};

/** The full photo whose composed pack is nearest to 100 KB. */
async function choosePhoto(url: string, viewer: Viewer) {
  const photos = viewer.opened.items.map(({ mediaId }) => mediaId);
  const leases = await lendFull(url, viewer, photos);
  const sizes = await Promise.all(
    leases.map(async ({ mediaId, url: place, token }) => {
      const answer = await fetch(url + place, { headers: { 'pf-lease': token } });
      return { mediaId, sizeBytes: (await answer.arrayBuffer()).byteLength };
    }),
  );
  const [best] = sizes.toSorted((a, b) => Math.abs(a.sizeBytes - wantedBytes) - Math.abs(b.sizeBytes - wantedBytes));
  if (best === undefined) throw new Error('The link shows no photo.');
  return best;
}

/** One volley at the product; the lease is asked for again, because it ends after 30 s. */
async function fireAtOurs({ url, pid }: Product, viewer: Viewer, mediaId: string, isFirst: boolean): Promise<Rate> {
  const [lease] = await lendFull(url, viewer, [mediaId]);
  if (lease === undefined) throw new Error('No lease was given.');
  const shot = { url: url.replace('localhost', '127.0.0.1') + lease.url, headers: { 'pf-lease': lease.token } };
  if (isFirst) await warmUp(pid, () => shot);
  return measureRate(pid, () => shot);
}

/** P5: one viewer's composed form of a pack that lies in memory. P6: a video by range. */
export async function measure(options: BenchOptions): Promise<Figure[]> {
  const { rounds, isProfiled } = options;
  const product = await bootProduct({ isProfiled });
  try {
    const slug = await shareDemo(product);
    const viewer = await openLink(product.url, slug, 0);
    const { mediaId, sizeBytes } = await choosePhoto(product.url, viewer);
    const node = await startComparator('bytes', 'node', { sizeBytes });
    const nginx = await startNginx(sizeBytes);
    const rates: { ours: Rate; node: Rate; nginx: Rate | undefined }[] = [];
    try {
      for (let round = 0; round < rounds; round++) {
        const ours = await fireAtOurs(product, viewer, mediaId, round === 0);
        const raw = await measureRate(node.pid, () => node.says);
        const sent = nginx && (await measureRate(nginx.pid, () => nginx));
        rates.push({ ours, node: raw, nginx: sent });
        say(`round ${round + 1}: ${Math.round(ours.perCpuSecond)} per CPU-s, p99 ${ours.p99Ms.toFixed(0)} ms`);
      }
    } finally {
      await node.close();
      await nginx?.close();
    }
    return [...figuresOf(rates, sizeBytes), ...(await measureVideoRange(product, options))];
  } finally {
    await product.remove();
  }
}

function figuresOf(rates: readonly { ours: Rate; node: Rate; nginx: Rate | undefined }[], sizeBytes: number): Figure[] {
  const rate = (of: (round: (typeof rates)[number]) => Rate | undefined) =>
    median(rates.flatMap((round) => of(round)?.perCpuSecond ?? []));
  const ours = rate((round) => round.ours);
  const shed = rates.reduce((sum, round) => sum + round.ours.shed, 0);
  const size = `${Math.round(sizeBytes / 1000)} KB`;
  const common = { part: 'bytes', figure: 'P5', unit: 'req/CPU-s', ours };
  const sendfile = rates[0]?.nginx === undefined ? undefined : rate((round) => round.nginx);
  return [
    {
      ...common,
      what: `GET /m/c/:pack/:tag, ${size}, hot`,
      comparator: { name: 'raw node:http, same size', value: rate((round) => round.node) },
      bound: { gate: 2000, goal: 3000, better: 'more', of: 'value', sets: 'print' },
      note: `p99 ${median(rates.map((round) => round.ours.p99Ms)).toFixed(0)} ms${shed > 0 ? `, ${shed} shed` : ''}`,
    },
    {
      ...common,
      what: `the same beside sendfile`,
      comparator: { name: 'nginx sendfile', value: sendfile },
      bound: { gate: 0.08, goal: 0.08, better: 'more', of: 'ratio', sets: 'exit' },
      ...(findNginx() === undefined && { note: 'skipped: nginx not found' }),
    },
  ];
}
