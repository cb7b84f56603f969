import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Child } from './child.ts';
import type { ChildReply } from './child-host.ts';
import { readPlainFile } from './plain-file.ts';
import { ChildFailed, type PoolOptions, type PoolTask, type TaskOutcome } from './task.ts';
import { limitTime } from './time-limit.ts';
import { lend } from './work-folder.ts';

const watchEveryMs = 100;

/**
 * Hands one task to a child and takes back what it made. A child that does anything but answer is ended.
 * @param name of its files, new for every task of this child
 */
export async function runTask(child: Child, name: string, task: PoolTask, options: PoolOptions): Promise<TaskOutcome> {
  const input = join(child.folder.inputs, name);
  const output = join(child.folder.outputs, name);
  const paths = task.outputs.map((kind) => [kind, `${output}.${kind}`] as const);
  try {
    const source = await task.openInput();
    await pipeline(source, createWriteStream(input, { mode: 0o600, flags: 'wx' }), { signal: task.signal });
    if (child.userId !== undefined) lend(input, child.userId);
    const { taskSeconds = options.taskSeconds, peakBytes = options.peakBytes } = task;
    const guard = guardChild(child, { taskSeconds, peakBytes }, task.signal);
    const reply = await child.ask({ job: task.job, input, output }).finally(guard.stop);
    task.signal?.throwIfAborted();
    if (!reply) return { ended: guard.reason() ?? 'died', words: child.lastWords() };
    return { ended: 'answered', answer: await answerOf(child, reply), files: readOutputs(paths, task.outputBytes) };
  } catch (error) {
    task.signal?.throwIfAborted(); // a pipeline that is ended says only that it was
    throw error;
  } finally {
    await discard(child, [input, ...paths.map(([, path]) => path)]);
  }
}

async function answerOf(child: Child, reply: ChildReply): Promise<unknown> {
  if ('answer' in reply) return reply.answer;
  await child.kill();
  throw new ChildFailed(reply.error);
}

/** Ends a child that uses up its time, hangs or takes too much, or whose task nobody wants any more. */
function guardChild(
  child: Child,
  { taskSeconds, peakBytes }: Pick<PoolOptions, 'taskSeconds' | 'peakBytes'>,
  signal: AbortSignal | undefined,
) {
  let reason: 'overtime' | 'overweight' | undefined;
  const end = (why?: typeof reason) => {
    reason ??= why;
    return child.kill();
  };
  const onAbort = () => end();
  signal?.addEventListener('abort', onAbort);
  const stopClock = limitTime(taskSeconds, child.cpuSeconds, () => end('overtime'));
  const scales = setInterval(() => (child.residentBytes() ?? 0) > peakBytes && end('overweight'), watchEveryMs);
  return {
    reason: () => reason,
    stop: () => {
      stopClock();
      clearInterval(scales);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}

/** Removes a task's files; a child that put a folder in a file's place was captured, and ends. */
async function discard(child: Child, paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { force: true }).catch(() => child.kill());
}

function readOutputs(paths: readonly (readonly [string, string])[], mostBytes: number): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (const [kind, path] of paths) {
    const bytes = readPlainFile(path, mostBytes);
    if (bytes) files.set(kind, bytes);
  }
  return files;
}
