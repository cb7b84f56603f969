import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { firstIdAt, isUuid } from '#kit/ids.ts';
import { dayMs } from '#kit/time.ts';
import { sealRows } from './log/seals.ts';
import { hashAllSeals, insertSeal, listNewestSeals, listUnsealed, takeSealTurn } from './log/seals-store.ts';
import { failTrace, listStuckTraces } from './progress/progress-store.ts';
import { fileNameOf, removeTraceFile, removeTraceFiles } from './progress/trace-files.ts';
import { deleteTrace, listKnownTraces, listOldTraces, listTracesInVain } from './store.ts';
import { traceQueue } from './work/queue.ts';
import { openTraceWork } from './work/trace-work.ts';

const system = { kind: 'system' } as const;
/** A trace whose job has come twelve times in vain, or whose process died, is over when it has not come further for this time. */
const longestTraceMs = dayMs;
/** No upload takes as long as this at the least pace that is served: files of younger traces may still wait for their row. */
const longestUploadMs = 2 * dayMs;

/** Seals the codewords that no seal names yet, creator by creator; who comes while another process seals leaves it to that one. */
export async function sealCodewords({ database, clock }: Pick<Engines, 'database' | 'clock'>): Promise<number> {
  return database.work(system, async (tx) => {
    if (!(await takeSealTurn(tx))) return 0;
    const rows = Map.groupBy(await listUnsealed(tx), ({ creatorId }) => creatorId);
    const newest = new Map((await listNewestSeals(tx, [...rows.keys()])).map((seal) => [seal.creatorId, seal]));
    const now = new Date(clock());
    for (const [creatorId, own] of rows)
      await insertSeal(tx, { creatorId, seal: sealRows(creatorId, newest.get(creatorId), own), rows: own, now });
    return rows.size;
  });
}

/** Puts all seals of everybody into the audit log as one hash: a chain that was made again would not fit to it. */
export async function anchorSeals({ database }: Pick<Engines, 'database'>): Promise<void> {
  await database.work(system, async (tx) =>
    insertAudit(tx, { actor: { type: 'system' }, action: 'codewords.anchored', details: await hashAllSeals(tx) }),
  );
}

/** Deletes copies after 30 days, and files that no trace names: uploads that broke, traces that went with their account. */
export async function sweepTraces({ database, storage, clock, log }: Engines): Promise<void> {
  const now = new Date(clock());
  const old = await database.work(system, (tx) => listOldTraces(tx, now));
  for (const traceId of old) {
    await database.work(system, (tx) => deleteTrace(tx, traceId));
    await removeTraceFiles(storage, traceId);
  }
  await database.work(system, async (tx) => {
    const stuck = await listStuckTraces(tx, new Date(now.getTime() - longestTraceMs));
    for (const traceId of stuck) await failTrace(tx, traceId, 'TIMEOUT', now);
  });
  const [stored, copies] = [new Set<string>(), new Set<string>()];
  const youngest = firstIdAt(new Date(now.getTime() - longestUploadMs));
  for await (const path of storage.list('traces/')) {
    const [, traceId = '', file] = path.split('/');
    if (!isUuid(traceId)) continue;
    if (traceId < youngest) stored.add(traceId);
    if (file === fileNameOf('leak')) copies.add(traceId);
  }
  const known = await database.work(system, (tx) => listKnownTraces(tx, [...stored]));
  const orphans = [...stored].filter((traceId) => !known.has(traceId));
  for (const traceId of orphans) await removeTraceFiles(storage, traceId);
  // The process ended between an answer and the end of what it needs no more.
  const inVain = await database.work(system, (tx) => listTracesInVain(tx, [...copies]));
  for (const traceId of inVain) await removeTraceFile(storage, traceId, 'leak');
  const details = { old: old.length, orphans: orphans.length };
  if (old.length + orphans.length === 0) return;
  log.info(details, 'leaked copies were deleted');
  await database.work(system, (tx) => insertAudit(tx, { actor: { type: 'system' }, action: 'traces.swept', details }));
}

/** Background work of tracing. @returns ends the child */
export function declareTracingJobs(engines: Engines): () => Promise<void> {
  const { jobs } = engines;
  const traces = openTraceWork(engines);
  jobs.handle<{ traceId: string }>(traceQueue, ({ traceId }, signal) => traces.run(traceId, signal), {
    atOnce: 1,
    perKey: 'one_running',
    retryLimit: 12,
    expireInSeconds: 3600,
  });
  jobs.every('* * * * *', 'tracing.seal', async () => void (await sealCodewords(engines)));
  jobs.every('3 0 * * *', 'tracing.anchor', () => anchorSeals(engines));
  jobs.every('37 * * * *', 'tracing.sweep', () => sweepTraces(engines));
  return () => traces.close();
}
