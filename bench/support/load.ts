import { Agent, request as ask, type IncomingMessage } from 'node:http';
import { quantile } from './figures.ts';
import { type Apart, costOf, readCpuSeconds } from './process-tree.ts';

/** One request of the generator. */
export interface Shot {
  url: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

interface Volley {
  answered: number;
  seconds: number;
  /** Refused because the server was too busy; they are no answers. */
  shed: number;
  p99Ms: number;
  /** Body bytes of the last answer. */
  sizeBytes: number;
}

const connections = 16;

/** A volley ends when the server has worked this long, so that a busy machine measures as much as a quiet one … */
const volleyCpuSeconds = 1.5;
/** … or after this time, because the generator is slower than a server that has nothing to do. */
const volleyAtMostMs = 12_000;
/** What a server gets to do before it counts: until then its code is not compiled. */
const warmUpCpuSeconds = 0.8;
const warmUpAtMostMs = 4000;

/** Answers per CPU-second of a server, and what the database below it spent for one. */
export interface Rate {
  perCpuSecond: number;
  /** Answers in a second of the clock, with the generator on the same machine. */
  perSecond: number;
  /** The same with the database's CPU on top. */
  perCpuSecondWithDatabase: number;
  p99Ms: number;
  shed: number;
  sizeBytes: number;
}

/** Lets a server warm up with the very requests that are measured afterwards. @throws as `measureRate` does */
export async function warmUp(pid: number, shotOf: (connection: number) => Shot): Promise<void> {
  await fire(untilSpent(pid, warmUpCpuSeconds, warmUpAtMostMs), shotOf);
}

/**
 * Keeps 16 connections busy until the server has worked for a while, and reads what it cost.
 * @param shotOf the request of one of the connections, 0 to 15
 * @throws when an answer is neither 200 nor "too busy"
 */
export async function measureRate(pid: number, shotOf: (connection: number) => Shot): Promise<Rate> {
  const { cost, result, isWhole } = await costOf(pid, () =>
    fire(untilSpent(pid, volleyCpuSeconds, volleyAtMostMs), shotOf),
  );
  if (!isWhole) return measureRate(pid, shotOf);
  const { answered, seconds, shed, p99Ms, sizeBytes } = result;
  const rate = ({ app, database }: Apart) => ({
    perCpuSecond: answered / app,
    perCpuSecondWithDatabase: answered / (app + database),
  });
  return { ...rate(cost), perSecond: answered / seconds, p99Ms, shed, sizeBytes };
}

/** Aborts when a process tree, the database apart, has spent so much CPU, or when the time is over. */
function untilSpent(pid: number, cpuSeconds: number, atMostMs: number): AbortSignal {
  const enough = new AbortController();
  const goal = readCpuSeconds(pid).app + cpuSeconds;
  const until = performance.now() + atMostMs;
  const look = setInterval(() => {
    if (readCpuSeconds(pid).app < goal && performance.now() < until) return;
    clearInterval(look);
    enough.abort();
  }, 100);
  return enough.signal;
}

async function fire(enough: AbortSignal, shotOf: (connection: number) => Shot): Promise<Volley> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  const beganMs = performance.now();
  let [shed, sizeBytes] = [0, 0];
  const run = async (connection: number) => {
    while (!enough.aborted) {
      const began = performance.now();
      const { status, bytes } = await shoot(agent, shotOf(connection));
      if (status === 503) shed++;
      else {
        times.push(performance.now() - began);
        sizeBytes = bytes;
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, (_, connection) => run(connection)));
  } finally {
    agent.destroy();
  }
  const seconds = (performance.now() - beganMs) / 1000;
  return { answered: times.length, seconds, shed, p99Ms: quantile(times, 0.99), sizeBytes };
}

/** Sends one request and reads the answer to its end. @throws when it is neither 200, 206 nor 503 */
export function shoot(agent: Agent, shot: Shot): Promise<{ status: number; bytes: number }> {
  const { url, method = 'GET', headers, body } = shot;
  return new Promise((resolve, reject) => {
    const call = ask(url, { agent, method, headers: { ...headers, ...(body && lengthOf(body)) } }, (answer) =>
      drain(answer).then((bytes) => resolve({ status: answer.statusCode ?? 0, bytes }), reject),
    );
    call.on('error', reject);
    call.end(body);
  });
}

const lengthOf = (body: string) => ({
  'content-type': 'application/json',
  'content-length': String(Buffer.byteLength(body)),
});

/** Reads an answer to its end without keeping it. @throws with its first words when it is a failure */
async function drain(answer: IncomingMessage): Promise<number> {
  const isGood = answer.statusCode === 200 || answer.statusCode === 206;
  let bytes = 0;
  let words = '';
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (!isGood && words.length < 300) words += chunk.toString();
  }
  if (!isGood && answer.statusCode !== 503)
    throw new Error(`An answer of ${answer.statusCode} instead of 200: ${words}`);
  return bytes;
}
