import { median } from './figures.ts';
import type { Phone } from './phone.ts';
import { findBelow } from './process-tree.ts';

/** A quarter of the time on, three quarters off: about a phone that is four times slower, workers included. */
const [runMs, restMs] = [10, 30];

/** The slow-down that makes an emulated figure worth its name. */
const soundSlowdown = { least: 3.5, most: 5 };

/** How many times longer a fixed loop takes. */
export interface Slowdown {
  page: number;
  worker: number;
  /** Outside of what is sound, whatever was measured with it is void. */
  isSound: boolean;
}

/** A browser whose pages are slowed down. */
export interface Slowed {
  /** Finds the process of a page that was just opened; by itself that is done four times a second, too late for what it does first. */
  look(): void;
  stop(): void;
}

/** Stops and continues the page processes of a browser, because Chromium's own throttling leaves workers alone. */
export function slowDown(browserPid: number): Slowed {
  let isOver = false;
  let pids: number[] = [];
  const signal = (signal: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch {
        pids = pids.filter((each) => each !== pid); // it ended meanwhile
      }
    }
  };
  const look = () => {
    pids = findBelow(browserPid, (line) => line.includes('--type=renderer'));
  };
  look();
  const looking = setInterval(look, 250);
  let timer: NodeJS.Timeout | undefined;
  const rest = () => {
    signal('SIGSTOP');
    timer = setTimeout(run, restMs);
  };
  const run = () => {
    signal('SIGCONT');
    if (!isOver) timer = setTimeout(rest, runMs);
  };
  run();
  return {
    look,
    stop() {
      isOver = true;
      clearTimeout(timer);
      clearInterval(looking);
      signal('SIGCONT');
    },
  };
}

/** Milliseconds of a fixed loop in the main thread and in a worker of a page; run in the browser. */
const loopInPage = `(async () => {
  const spin = () => { const began = performance.now(); let sum = 0; for (let i = 0; i < 6e7; i++) sum = (sum * 31 + i) | 0; return performance.now() - began + (sum === 0.5 ? 1 : 0); };
  const worker = new Worker(URL.createObjectURL(new Blob(['const spin = ' + spin + '; postMessage(spin())'])));
  const inWorker = await new Promise((done) => { worker.onmessage = ({ data }) => done(data); });
  worker.terminate();
  return { page: spin(), worker: inWorker };
})()`;

/** Returns how much slower a fixed loop becomes, in the main thread and in a worker. */
export async function readSlowdown(phone: Phone): Promise<Slowdown> {
  const run = async (slowing?: Slowed) => {
    const visit = await phone.openPage('loopback');
    slowing?.look();
    const times = await visit.page.evaluate<{ page: number; worker: number }>(loopInPage);
    await visit.close();
    return times;
  };
  const quick = [await run(), await run(), await run()];
  const slowing = slowDown(phone.pid);
  const slow = [await run(slowing), await run(slowing), await run(slowing)];
  slowing.stop();
  const factor = (of: 'page' | 'worker') => median(slow.map((run) => run[of])) / median(quick.map((run) => run[of]));
  const [page, worker] = [factor('page'), factor('worker')];
  const isSound = [page, worker].every((value) => value >= soundSlowdown.least && value <= soundSlowdown.most);
  return { page, worker, isSound };
}

/** The slow-down in words, and whether it makes void what was measured with it. */
export function slowdownText({ page, worker, isSound }: Slowdown): string {
  const { least, most } = soundSlowdown;
  return `CPU ${page.toFixed(1)}x slower, workers ${worker.toFixed(1)}x${isSound ? '' : `: VOID, wanted ${least} to ${most}`}`;
}
