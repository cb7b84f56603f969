import { once } from 'node:events';
import { Agent, createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { startComparator } from './support/comparator.ts';
import { type Figure, median, quantile } from './support/figures.ts';
import { openSessions } from './support/many-sessions.ts';
import { type BenchOptions, say } from './support/options.ts';
import { readCpuSeconds, readPssMegabytes } from './support/process-tree.ts';
import { bootProduct, type Product } from './support/product.ts';

/** Two streams a session, as many as a session may have. */
const [sessionCount, streamsEach] = [1000, 2];
const clientCount = sessionCount * streamsEach;
const [eventsPerSecond, seconds] = [5, 10];

export const comparators = {
  /** The least that sends events: every client's answer stands in a list. */
  async node() {
    const clients = new Set<ServerResponse>();
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': \n\n');
      clients.add(response);
      response.on('close', () => clients.delete(response));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return {
      says: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` },
      async work({ text }: { text: string }) {
        for (const client of clients) client.write(text);
        return { sent: clients.size };
      },
    };
  },
};

/** Streams that are held open, and when each of their events came. */
async function openStreams(url: string, cookies: readonly string[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: clientCount });
  let heard: (event: string) => void = () => undefined;
  const open = (cookie: string) =>
    new Promise<void>((resolve, reject) => {
      const call = get(url, { agent, headers: { cookie } }, (answer) => {
        if (answer.statusCode !== 200) return reject(new Error(`A stream was answered with ${answer.statusCode}.`));
        answer.setEncoding('latin1').on('data', (text: string) => {
          for (const [, id = ''] of text.matchAll(/"albumId":"([^"]+)"/g)) heard(id);
        });
        answer.on('error', () => undefined);
        resolve();
      });
      call.on('error', reject);
    });
  // A few at a time, as people come.
  for (let from = 0; from < cookies.length; from += 20) await Promise.all(cookies.slice(from, from + 20).map(open));
  const onEvent = (hear: (id: string) => void) => {
    heard = hear;
  };
  return { onEvent, close: () => agent.destroy() };
}

interface Heard {
  p99Ms: number;
  missing: number;
  perCpuSecond: number;
}

/** Sends events at a steady rate and notes when each of the clients had each. */
async function measureEvents(
  pid: number,
  streams: Awaited<ReturnType<typeof openStreams>>,
  publishTo: (albumId: string) => Promise<unknown>,
): Promise<Heard> {
  const sentAt = new Map<string, number>();
  const times: number[] = [];
  streams.onEvent((id) => {
    const at = sentAt.get(id);
    if (at !== undefined) times.push(performance.now() - at);
  });
  const before = readCpuSeconds(pid).app;
  const began = performance.now();
  for (let n = 0; n < eventsPerSecond * seconds; n++) {
    await wait(Math.max(0, began + (n * 1000) / eventsPerSecond - performance.now()));
    const id = crypto.randomUUID();
    sentAt.set(id, performance.now());
    await publishTo(id);
  }
  const wanted = sentAt.size * clientCount;
  for (let tries = 0; times.length < wanted && tries < 100; tries++) await wait(100);
  return {
    p99Ms: quantile(times, 0.99),
    missing: wanted - times.length,
    perCpuSecond: times.length / (readCpuSeconds(pid).app - before),
  };
}

/** P11: 2,000 open dashboards on one process. */
export async function measure({ rounds, isProfiled }: BenchOptions): Promise<Figure[]> {
  const product = await bootProduct({ isProfiled });
  const node = await startComparator('live', 'node');
  try {
    const demo = await product.demo();
    await product.untilIdle();
    const { cookies, creatorId, publishTo } = await openSessions(product.dataDir, demo, sessionCount);
    const made: { ours: Heard & { kilobytes: number }; raw: Heard }[] = [];
    for (let round = 0; round < rounds; round++) {
      const ours = await measureOurs(product, cookies, publishTo);
      const raws = await openStreams(node.says.url, Array<string>(clientCount).fill(''));
      const text = (albumId: string) =>
        `id: 1\ndata: ${JSON.stringify({ kind: 'album.changed', creatorId, albumId })}\n\n`;
      const raw = await measureEvents(node.pid, raws, (albumId) => node.ask({ text: text(albumId) }));
      raws.close();
      made.push({ ours, raw });
      say(
        `round ${round + 1}: p99 ${ours.p99Ms.toFixed(0)} ms, ${ours.kilobytes.toFixed(0)} KB a client, ${ours.missing} missing`,
      );
    }
    return figuresOf(made);
  } finally {
    await node.close();
    await product.remove();
  }
}

async function measureOurs(
  { url, pid }: Product,
  cookies: readonly string[],
  publishTo: (albumId: string) => Promise<void>,
) {
  const before = readPssMegabytes(pid).app;
  const each = cookies.flatMap((cookie) => Array<string>(streamsEach).fill(cookie));
  const streams = await openStreams(`${url.replace('localhost', '127.0.0.1')}/api/live`, each);
  await wait(3000);
  const kilobytes = ((readPssMegabytes(pid).app - before) * 1000) / clientCount;
  const heard = await measureEvents(pid, streams, publishTo);
  streams.close();
  await wait(2000);
  return { ...heard, kilobytes };
}

function figuresOf(made: readonly { ours: Heard & { kilobytes: number }; raw: Heard }[]): Figure[] {
  const common = { part: 'live', figure: 'P11' };
  const name = 'raw node:http, same clients and rate';
  const clients = clientCount.toLocaleString('en-US');
  return [
    {
      ...common,
      what: `event to client, p99, ${clients} dashboards, ${eventsPerSecond} events a second to all`,
      unit: 'ms',
      ours: median(made.map(({ ours }) => ours.p99Ms)),
      comparator: { name, value: median(made.map(({ raw }) => raw.p99Ms)) },
      bound: { gate: 500, goal: 250, better: 'less', of: 'value', sets: 'print' },
    },
    {
      ...common,
      what: 'memory of one client in the server',
      unit: 'KB',
      // The first round grows the heap; later ones find it grown.
      ours: made[0]?.ours.kilobytes,
      bound: { gate: 50, goal: 30, better: 'less', of: 'value', sets: 'exit' },
    },
    {
      ...common,
      what: 'deliveries',
      unit: '1/CPU-s',
      ours: median(made.map(({ ours }) => ours.perCpuSecond)),
      comparator: { name, value: median(made.map(({ raw }) => raw.perCpuSecond)) },
      bound: { gate: 0.6, goal: 0.8, better: 'more', of: 'ratio', sets: 'exit' },
    },
    {
      ...common,
      what: 'events that a client did not get',
      unit: 'count',
      ours: made.reduce((sum, { ours }) => sum + ours.missing, 0),
      bound: { gate: 0, goal: 0, better: 'less', of: 'value', sets: 'exit' },
    },
  ];
}
