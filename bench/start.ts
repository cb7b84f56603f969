import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findCluster } from './support/cluster.ts';
import { type Figure, median } from './support/figures.ts';
import { type BenchOptions, say } from './support/options.ts';
import { type Apart, readCpuSeconds, readPssMegabytes } from './support/process-tree.ts';
import { bootProduct, makeDataFolder, type Product } from './support/product.ts';

/** The least that a server with a database in Node does before it answers. */
const bare = (address: object) => `
import { createServer } from 'node:http';
import pg from 'pg';
const client = new pg.Client(${JSON.stringify(address)});
await client.connect();
await client.query('select 1');
createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1', () => console.log('up'));
process.on('SIGTERM', () => process.exit());
setInterval(() => {}, 1e6);`;

interface Start {
  seconds: number;
  cpu: Apart;
}

async function startBare(address: object): Promise<Start & { megabytes: number }> {
  const began = performance.now();
  const child = spawn(process.execPath, ['--input-type=module', '-e', bare(address)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const seconds = (performance.now() - began) / 1000;
  const [cpu, { app: megabytes }] = [readCpuSeconds(child.pid ?? 0), readPssMegabytes(child.pid ?? 0)];
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
  return { seconds, cpu, megabytes };
}

const startOf = ({ pid, startSeconds }: Product): Start => ({ seconds: startSeconds, cpu: readCpuSeconds(pid) });

/** P14: from nothing, and again on data that is there; both with the embedded PostgreSQL. */
export async function measure({ rounds, isProfiled }: BenchOptions): Promise<Figure[]> {
  const first: Start[] = [];
  const again: Start[] = [];
  const least: (Start & { megabytes: number })[] = [];
  const idle: Apart[] = [];
  const dataDir = makeDataFolder();
  const seeded = await bootProduct({ dataDir });
  try {
    first.push(startOf(seeded));
    await seeded.demo();
    await seeded.stop();
    for (let round = 0; round < rounds; round++) {
      if (round > 0) {
        const fresh = await bootProduct();
        first.push(startOf(fresh));
        await fresh.remove();
      }
      const product = await bootProduct({ dataDir, isProfiled });
      try {
        again.push(startOf(product));
        least.push(await startBare(findCluster(dataDir)));
        idle.push(readPssMegabytes(product.pid));
      } finally {
        await product.stop();
      }
      say(
        `round ${round + 1}: first ${first.at(-1)?.seconds.toFixed(2)} s, again ${again.at(-1)?.seconds.toFixed(2)} s`,
      );
    }
  } finally {
    await seeded.remove();
  }
  return figuresOf({ first, again, least, idle });
}

interface Measured {
  first: Start[];
  again: Start[];
  least: (Start & { megabytes: number })[];
  idle: Apart[];
}

function figuresOf({ first, again, least, idle }: Measured): Figure[] {
  const bareStart = 'node + raw pg connect';
  const part = 'start';
  const seconds = (of: readonly Start[]) => median(of.map((start) => start.seconds));
  const cpu = (of: readonly Start[], whose: keyof Apart) => median(of.map((start) => start.cpu[whose]));
  const bound = { better: 'less', of: 'value', sets: 'print' } as const;
  return [
    {
      part,
      figure: 'P14',
      what: 'start to first 200, data exists, embedded PostgreSQL included',
      unit: 's',
      ours: seconds(again),
      comparator: { name: bareStart, value: seconds(least) },
      bound: { ...bound, gate: 2.5, goal: 1.5 },
    },
    {
      part,
      figure: 'P14',
      what: 'first start ever',
      unit: 's',
      ours: seconds(first),
      comparator: { name: bareStart, value: seconds(least) },
      bound: { ...bound, gate: 15, goal: 10 },
    },
    {
      part,
      figure: 'P14b',
      what: 'CPU of the start on data, without the database',
      unit: 'CPU-s',
      ours: cpu(again, 'app'),
      comparator: { name: bareStart, value: cpu(least, 'app') },
      bound: { ...bound, gate: 2.2, goal: 1.5 },
      note: `the database ${cpu(again, 'database').toFixed(2)}; first start ever ${cpu(first, 'app').toFixed(2)} + ${cpu(first, 'database').toFixed(2)}`,
    },
    {
      part,
      figure: 'P15',
      what: 'PSS right after the start, app',
      unit: 'MB',
      ours: median(idle.map(({ app }) => app)),
      comparator: { name: bareStart, value: median(least.map(({ megabytes }) => megabytes)) },
      note: `the database ${median(idle.map(({ database }) => database)).toFixed(0)}; the gate belongs to \`memory\``,
    },
  ];
}
