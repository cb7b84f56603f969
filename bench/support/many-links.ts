import { type Figure, median, quantile } from './figures.ts';
import type { Shot } from './load.ts';
import { fireAtRate } from './open-loop.ts';
import { say } from './options.ts';
import { costOf } from './process-tree.ts';
import type { Product } from './product.ts';
import { enterStudio } from './studio.ts';
import { openLink, openShot, type Viewer } from './viewer.ts';

const linkCount = 64;
const [perSecond, seconds] = [40, 10];

interface ManyLinks {
  product: Product;
  shotOf: (n: number) => Shot;
}

/** Makes links of their own in the demo's albums, and a viewer of each who has been there. */
export async function inviteMany(product: Product): Promise<ManyLinks> {
  const studio = await enterStudio(product, await product.demo());
  const albums = (await studio.call('albums.list')).albums as { id: string; name: string; photoCount: number }[];
  const albumIds = albums.filter(({ name }) => !name.startsWith('Album ')).map(({ id }) => id);
  const near = product.url.replace('localhost', '127.0.0.1');
  const guests: { slug: string; viewer: Viewer }[] = [];
  for (let n = 0; n < linkCount; n++) {
    const slug = await studio.makeLink(albumIds);
    guests.push({ slug, viewer: await openLink(near, slug, 0) });
  }
  studio.close();
  return {
    product,
    shotOf: (n) => {
      const guest = guests[n % linkCount];
      return openShot(near, guest?.slug ?? '', guest ? [guest.viewer] : [], 0)(n);
    },
  };
}

interface Opens {
  p99Ms: number;
  cpuMs: number;
}

/** Opens at a steady pace that a quiet machine has no trouble with. */
async function open({ product, shotOf }: ManyLinks): Promise<Opens> {
  const { result, cost } = await costOf(product.pid, () => fireAtRate(perSecond, seconds, shotOf));
  const opens = perSecond * seconds;
  return { p99Ms: quantile(result.timesMs, 0.99), cpuMs: ((cost.app + cost.database) * 1000) / opens };
}

/** Opens among very many links beside the same among few; the two installations take turns. */
export async function compareOpens(
  many: ManyLinks,
  few: ManyLinks,
  counts: { many: number; few: number },
  rounds: number,
): Promise<Figure[]> {
  const made: { many: Opens; few: Opens }[] = [];
  for (const crowd of [many, few]) await open(crowd);
  for (let round = 0; round < rounds; round++) {
    made.push({ many: await open(many), few: await open(few) });
    const { many: ours, few: theirs } = made.at(-1) ?? {};
    say(`opens, round ${round + 1}: p99 ${ours?.p99Ms.toFixed(1)} ms, among few links ${theirs?.p99Ms.toFixed(1)} ms`);
  }
  const beside = (what: keyof Opens) => ({
    ours: median(made.map((round) => round.many[what])),
    comparator: {
      name: `${counts.few.toLocaleString('en-US')} links`,
      value: median(made.map((round) => round.few[what])),
    },
  });
  const common = { part: 'insights', figure: 'P12', note: `${perSecond} a second` };
  const bound = { gate: 1.3, goal: 1.1, better: 'less', of: 'ratio' } as const;
  const name = `POST open among ${counts.many.toLocaleString('en-US')} links`;
  return [
    { ...common, what: `${name}, p99`, unit: 'ms', ...beside('p99Ms'), bound: { ...bound, sets: 'print' } },
    {
      ...common,
      what: `${name}, with the database's CPU`,
      unit: 'CPU-ms',
      ...beside('cpuMs'),
      bound: { ...bound, sets: 'exit' },
    },
  ];
}
