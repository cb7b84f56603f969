import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { listOwnProcesses } from '#tests/support/database/own-processes.ts';

/** What one decoder may hold. */
export const mostDecoderBytes = 600e6;
/** The same of a video beyond 4K, of which single frames are 50 to 200 MB: the kernel ends it before. */
export const mostLargeDecoderBytes = 1.8e9;

/** What was seen of the decoders while files were judged. */
export interface Seen {
  /** The most that one of them ever held; 0 where the system does not tell. */
  peakBytes: number;
  /** From when a file was taken up until it was judged. */
  slowestSeconds: number;
  /** Their command lines. */
  programs: Set<string>;
}

interface State {
  id: string;
  state: string;
}

const [lookMs, askMs] = [100, 200];

const readProc = (pid: string, what: 'status' | 'cmdline') => {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'latin1');
  } catch {
    return ''; // it ended meanwhile
  }
};

/**
 * Looks on from now until `end`.
 * @param states of all files
 * @param words that stand in the command line of every decoder, and in no other's
 */
export function watchVerdicts(
  states: () => Promise<State[]>,
  words: string,
): { seen: Readonly<Seen>; end(): Promise<Seen> } {
  const seen: Seen = { peakBytes: 0, slowestSeconds: 0, programs: new Set() };
  const begun = new Map<string, number>();
  let isOver = false;
  const look = () => {
    for (const pid of listOwnProcesses(words)) {
      const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readProc(pid, 'status'))?.[1];
      seen.peakBytes = Math.max(seen.peakBytes, 1024 * Number(peak ?? 0));
      seen.programs.add(readProc(pid, 'cmdline').replaceAll('\0', ' ').slice(0, 4000));
    }
  };
  const ask = async () => {
    const now = performance.now() / 1000;
    for (const { id, state } of await states()) {
      if (state === 'processing' && !begun.has(id)) begun.set(id, now);
      const since = begun.get(id);
      if (state !== 'processing' && since !== undefined) {
        seen.slowestSeconds = Math.max(seen.slowestSeconds, now - since);
        begun.delete(id);
      }
    }
  };
  const looking = process.platform === 'linux' ? setInterval(look, lookMs) : undefined;
  const asking = (async () => {
    while (!isOver) {
      await ask();
      await wait(askMs);
    }
    await ask();
  })();
  return {
    seen,
    async end() {
      isOver = true;
      clearInterval(looking);
      await asking;
      return seen;
    },
  };
}
