import type { Engines } from '#engines/engines.ts';
import { pauseQueue, resumeQueue, runQueueNow } from './functions/queues.ts';

const acts = { run: runQueueNow, pause: pauseQueue, resume: resumeQueue } as const;
const done = {
  run: 'runs as soon as a process that runs jobs is free for it.',
  pause: 'is paused. What runs ends first; what comes waits.',
  resume: 'goes on.',
} as const;

const isAct = (verb: string): verb is keyof typeof acts => Object.hasOwn(acts, verb);

/** `pf jobs`: lists the queues, runs a job that comes by itself, pauses a queue or has it go on. @returns what to print */
export async function runJobs(engines: Engines, [verb = 'list', queue = '']: readonly string[]): Promise<string> {
  if (verb === 'list') return describeQueues(engines);
  if (!isAct(verb)) throw new Error('Say list, run NAME, pause NAME or resume NAME.');
  await engines.database.work({ kind: 'system' }, (tx) => acts[verb](engines, tx, queue, { type: 'system' }));
  return `${queue} ${done[verb]}`;
}

async function describeQueues({ jobs }: Engines): Promise<string> {
  const lines = (await jobs.overview()).map(({ queue, cron, waiting, running, failed, paused }) =>
    [
      queue.padEnd(28),
      (cron ?? '').padEnd(14),
      `${waiting} waiting, ${running} running, ${failed} failed`,
      ...(paused === null ? [] : [`PAUSED since ${paused.at.toISOString()}`]),
    ].join('  '),
  );
  return lines.join('\n');
}
