import type { Engines } from '#engines/engines.ts';
import { formatBytes } from '#kit/text.ts';
import { pauseQueue, resumeQueue, runQueueNow } from './functions/queues.ts';
import { askForCleaning, askForLook, cleanPlan, lookForJunk, showJunk } from './junk/junk.ts';
import type { JunkDoing } from './junk/kinds.ts';
import { JunkKind, type JunkRow, junkKinds } from './junk-contract.ts';

const system = { kind: 'system' } as const;
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
  await engines.database.work(system, (tx) => acts[verb](engines, tx, queue, { type: 'system' }));
  return `${queue} ${done[verb]}`;
}

/**
 * `pf junk`: counts what lies about, or looks for a kind of it and cleans exactly what was found.
 * @returns what to print
 */
export async function runJunk(
  engines: Engines,
  doing: JunkDoing,
  [verb = 'list', name = '']: readonly string[],
): Promise<string> {
  if (verb === 'list') return (await showJunk(engines)).map(describeKind).join('\n');
  const kind = JunkKind.safeParse(name);
  if (!['look', 'clean'].includes(verb) || !kind.success)
    throw new Error(`Say list, look KIND or clean KIND. A kind is one of ${junkKinds.join(', ')}.`);
  const { work } = engines.database;
  const by = { type: 'system' } as const;
  const lookId = await work(system, (tx) => askForLook(engines, tx, kind.data, by));
  await lookForJunk(engines, doing, lookId, true);
  const found = (await showJunk(engines)).find((row) => row.kind === kind.data);
  if (found === undefined || found.plan === null) throw new Error('The look was replaced by another one meanwhile.');
  const { plan } = found;
  if (verb === 'look') return [describeKind(found), ...plan.samples].join('\n');
  if (plan.listed === 0) return 'There is nothing to clean.';
  const { hash } = plan;
  const planId = await work(system, (tx) => askForCleaning(engines, tx, { kind: kind.data, hash }, by));
  await cleanPlan(engines, doing, planId, true);
  const done = (await showJunk(engines)).find((row) => row.kind === kind.data)?.plan;
  return `${describeKind(found)}\n${done?.cleaned ?? 0} cleaned, ${(done?.done ?? 0) - (done?.cleaned ?? 0)} kept: they are no junk any more.`;
}

const describeKind = ({ kind, count, sizeBytes, plan }: JunkRow): string => {
  const size = sizeBytes ?? plan?.sizeBytes ?? null;
  const found = count ?? plan?.found;
  return [
    kind.padEnd(22),
    found === undefined ? 'not looked for yet' : String(found),
    ...(size === null ? [] : [formatBytes(size)]),
    ...(plan === null ? [] : [`${plan.state}, found ${plan.found}, ${plan.cleaned} cleaned`]),
  ].join('  ');
};

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
