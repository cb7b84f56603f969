import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * A thread of its own that calls one address at a steady pace, whether or not it is answered: how many calls wait at the
 * same time tells how long nobody else was served, without a word about seconds.
 */
const { url, everyMs, counters } = workerData as { url: string; everyMs: number; counters: SharedArrayBuffer };
/** Answered, waiting, and the most that ever waited. */
const counts = new Int32Array(counters);
const agent = new Agent({ keepAlive: true });
const began = performance.now();
let sent = 0;

function call(): void {
  const waiting = Atomics.add(counts, 1, 1) + 1;
  if (waiting > Atomics.load(counts, 2)) Atomics.store(counts, 2, waiting);
  const over = (isAnswered: boolean) => {
    Atomics.sub(counts, 1, 1);
    if (isAnswered) Atomics.add(counts, 0, 1);
  };
  get(url, { agent }, (answer) => answer.resume().once('end', () => over(answer.statusCode === 200))).once(
    'error',
    () => over(false),
  );
}

const calling = setInterval(() => {
  for (; sent * everyMs < performance.now() - began; sent++) call();
}, everyMs);
parentPort?.once('message', () => {
  clearInterval(calling);
  agent.destroy();
});
