import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isPosix, killGroup, programFolders } from './child.ts';
import { cpuSeconds } from './process-tree.ts';
import { limitTime } from './time-limit.ts';
import type { Limits } from './wall.ts';
import type { WorkFolder } from './work-folder.ts';

/** A program for a walled folder, and what it may take. */
export interface ProgramOrder {
  /** The program and its arguments; it stands in the folder's outputs. */
  command: readonly string[];
  limits: Limits;
  /** Of processor time; one that hangs is ended by the clock, far later. */
  seconds: number;
  /** Most that is kept of its standard output; a program that says more is ended. */
  outputBytes?: number;
  /** Hears its standard output as it comes. */
  onOutput?: ((text: string) => void) | undefined;
  /** Sent to its descriptor 3 as fast as it reads there, until it ends. */
  feed?: AsyncIterable<Uint8Array> | undefined;
  signal?: AbortSignal | undefined;
}

/** How a program ended; `words` is the end of what it wrote to its error output. */
export type ProgramOutcome =
  | { ended: 'well'; output: string; words: string }
  | { ended: 'badly' | 'overtime' | 'overlong_file' | 'too_talkative'; output: string; words: string };

/** The kernel's answer to a file beyond its limit: the program's own end, or its wall's, which passes it on as shells do. */
const wroteTooMuch = (status: number | null, signal: NodeJS.Signals | null) =>
  signal === 'SIGXFSZ' || status === 128 + constants.signals.SIGXFSZ;

/**
 * Runs one program to its end, in a process group that is ended as a whole.
 * @param command the whole command line, wall included
 * @throws the signal's reason, or what broke the feed, when nothing of the group is left
 */
export async function runProgram(
  command: readonly string[],
  folder: WorkFolder,
  { seconds, outputBytes = 1_000_000, onOutput, feed, signal }: ProgramOrder,
): Promise<ProgramOutcome> {
  signal?.throwIfAborted();
  const [program = '', ...rest] = command;
  const own = spawn(program, rest, {
    cwd: folder.outputs,
    stdio: ['ignore', 'pipe', 'pipe', feed === undefined ? 'ignore' : 'pipe'],
    env: { PATH: programFolders.join(':') },
    detached: isPosix,
    windowsHide: true,
  });
  let ended: ProgramOutcome['ended'] | undefined;
  const end = (how?: ProgramOutcome['ended']) => {
    ended ??= how;
    killGroup(own);
  };
  const said = listen(own, outputBytes, onOutput, () => end('too_talkative'));
  let broken: { error: unknown } | undefined;
  const onBroken = (error: unknown) => {
    broken = { error };
    end();
  };
  const stopFeeding = feed && feedInto(own.stdio[3] as Writable, feed, onBroken);
  const onAbort = () => end();
  signal?.addEventListener('abort', onAbort);
  const used = () => (own.pid === undefined ? undefined : cpuSeconds(own.pid));
  const stopClock = limitTime(seconds, used, () => end('overtime'));
  try {
    const { status, killedBy } = await closed(own);
    signal?.throwIfAborted();
    if (broken !== undefined) throw broken.error;
    if (status !== 0) ended ??= wroteTooMuch(status, killedBy) ? 'overlong_file' : 'badly';
    return { ended: ended ?? 'well', ...said() };
  } finally {
    stopClock();
    signal?.removeEventListener('abort', onAbort);
    stopFeeding?.();
  }
}

function closed(own: ChildProcess): Promise<{ status: number | null; killedBy: NodeJS.Signals | null }> {
  return new Promise((resolve) => {
    own.once('error', () => resolve({ status: null, killedBy: null }));
    own.once('close', (status, killedBy) => resolve({ status, killedBy }));
  });
}

function listen(
  own: ChildProcess,
  mostBytes: number,
  onOutput: ProgramOrder['onOutput'],
  onTooMuch: () => void,
): () => { output: string; words: string } {
  let [output, words] = ['', ''];
  own.stdout?.setEncoding('utf8').on('data', (text: string) => {
    if (onOutput) return onOutput(text);
    output += text;
    if (output.length > mostBytes) onTooMuch();
  });
  own.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-4000);
  });
  own.on('error', (error) => {
    words += error.message;
  });
  return () => ({ output, words: words.trim() });
}

/** @returns ends the source, whoever stopped first */
function feedInto(pipe: Writable, feed: AsyncIterable<Uint8Array>, onBroken: (error: unknown) => void): () => void {
  async function* watched() {
    const chunks = feed[Symbol.asyncIterator]();
    try {
      for (;;) {
        // Only what the feed itself throws: a pipe that closes is thrown in from the other side.
        const next = await chunks.next().catch(onBroken);
        if (next === undefined || next.done) return;
        yield next.value;
      }
    } finally {
      await chunks.return?.();
    }
  }
  const source = Readable.from(watched(), { objectMode: true, highWaterMark: 1 });
  // A program that has all it wanted closes its end, and one that is killed resets it: that is no error of anybody, also later.
  pipe.on('error', () => undefined);
  pipeline(source, pipe).catch(() => undefined);
  return () => source.destroy();
}
