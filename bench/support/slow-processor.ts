import { findBelow } from './process-tree.ts';

/** A quarter of the time on, three quarters off: about a phone that is four times slower, workers included. */
const [runMs, restMs] = [10, 30];

/** The slow-down that makes an emulated figure worth its name. */
export const soundSlowdown = { least: 3.5, most: 5 };

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
  const tell = (signal: 'SIGSTOP' | 'SIGCONT') => {
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
    tell('SIGSTOP');
    timer = setTimeout(run, restMs);
  };
  const run = () => {
    tell('SIGCONT');
    if (!isOver) timer = setTimeout(rest, runMs);
  };
  run();
  return {
    look,
    stop() {
      isOver = true;
      clearTimeout(timer);
      clearInterval(looking);
      tell('SIGCONT');
    },
  };
}

/** Milliseconds of a fixed loop in the main thread and in a worker of a page; run in the browser. */
export const loopInPage = `(async () => {
  const spin = () => { const began = performance.now(); let sum = 0; for (let i = 0; i < 6e7; i++) sum = (sum * 31 + i) | 0; return performance.now() - began + (sum === 0.5 ? 1 : 0); };
  const worker = new Worker(URL.createObjectURL(new Blob(['const spin = ' + spin + '; postMessage(spin())'])));
  const inWorker = await new Promise((done) => { worker.onmessage = ({ data }) => done(data); });
  worker.terminate();
  return { page: spin(), worker: inWorker };
})()`;
