import { createHash } from 'node:crypto';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { newId } from '#kit/ids.ts';
import { hourMs, minuteMs } from '#kit/time.ts';
import { refuse } from '#wire/refusals.ts';
import type { Acting } from '../acting.ts';
import { type JunkKind, type JunkRow, junkKinds } from '../junk-contract.ts';
import { type JunkDoing, rubbishOf } from './kinds.ts';
import {
  advance,
  beginCleaning,
  beginPlan,
  cancelPlan,
  endPlan,
  findPlan,
  keepFound,
  listPlans,
  type StoredPlan,
} from './plans-store.ts';

/** The job that looks for rubbish, and the one that cleans what was found. */
export const lookQueue = 'junk.look';
export const cleanQueue = 'junk.clean';

const system = { kind: 'system' } as const;
const batch = 100;
/** A job that says nothing for so long is dead: then somebody may look again. */
const silentMs = 30 * minuteMs;
/** What was found so long ago is looked for again before it is cleaned. */
const foundMs = 24 * hourMs;

const noPeople: JunkDoing = { removeTestPeople: async () => undefined };
const shown = rubbishOf(noPeople);

/** Shows how much of each kind there is, and what the last look has found. */
export async function showJunk(engines: Engines): Promise<JunkRow[]> {
  const plans = new Map((await engines.database.work(system, listPlans)).map((plan) => [plan.kind, plan]));
  const rows: JunkRow[] = [];
  for (const kind of junkKinds) {
    const rubbish = shown[kind];
    const known = (await rubbish.count?.(engines)) ?? { count: null, sizeBytes: null };
    const plan = plans.get(kind);
    rows.push({
      kind,
      ...known,
      isOnlyShown: rubbish.clean === undefined,
      plan: plan === undefined ? null : shownPlan(plan),
    });
  }
  return rows;
}

function shownPlan({ kind: _, seenAt: __, sizeBytes, ...plan }: Awaited<ReturnType<typeof listPlans>>[number]) {
  return { ...plan, sizeBytes: sizeBytes === null ? null : Number(sizeBytes) };
}

/** Begins a look, with its job. @returns the plan's id @throws CONFLICT while one looks or cleans */
export async function askForLook(engines: Engines, tx: Tx, kind: JunkKind, acting: Acting): Promise<string> {
  const now = new Date(engines.clock());
  const id = newId<'junkPlan'>(now.getTime());
  const askedBy = acting.type === 'admin' ? acting.id : null;
  const silentSince = new Date(now.getTime() - silentMs);
  if (!(await beginPlan(tx, { kind, id, askedBy, now, silentSince })))
    throw refuse('CONFLICT', { message: 'It is being looked at or cleaned.' });
  await engines.jobs.send(tx, lookQueue, { planId: id });
  return id;
}

/** Returns a hash of what was listed, by which it is cleaned. */
const hashOf = (ids: readonly string[]) => createHash('sha256').update(ids.join('\n')).digest('hex');

/** Looks for rubbish of a plan's kind and keeps what it found; safe to repeat. */
export async function lookForJunk(
  engines: Engines,
  doing: JunkDoing,
  planId: string,
  isLastTry: boolean,
): Promise<void> {
  const { database, clock } = engines;
  const plan = await database.work(system, (tx) => findPlan(tx, planId));
  if (plan?.state !== 'looking') return;
  await orFail(engines, planId, isLastTry, async () => {
    const { ids, count, sizeBytes } = await rubbishOf(doing)[plan.kind].look(engines);
    const found = { ids, hash: hashOf(ids), count, sizeBytes, now: new Date(clock()) };
    await database.work(system, (tx) => keepFound(tx, planId, found));
  });
}

/** Begins to clean what was found, with its job. @throws CONFLICT when that is not what was found last, or was long ago */
export async function askForCleaning(
  engines: Engines,
  tx: Tx,
  { kind, hash }: { kind: JunkKind; hash: string },
  acting: Acting,
): Promise<string> {
  if (shown[kind].clean === undefined) throw refuse('CONFLICT', { message: 'This is only shown here.' });
  const now = new Date(engines.clock());
  const plan = await beginCleaning(tx, { kind, hash, now, since: new Date(now.getTime() - foundMs) });
  if (plan === undefined) throw refuse('CONFLICT', { message: 'This is not what was found last. Look again first.' });
  await engines.jobs.send(tx, cleanQueue, { planId: plan.id });
  await note(tx, acting, 'junk.cleaning', { kind, listed: plan.listed, hash });
  return plan.id;
}

/** Cleans what a plan lists, as far as it is rubbish still, in batches; goes on where it was cut off, and ends when it is asked to. */
export async function cleanPlan(engines: Engines, doing: JunkDoing, planId: string, isLastTry: boolean): Promise<void> {
  const { database, clock } = engines;
  const plan = await database.work(system, (tx) => findPlan(tx, planId));
  if (plan?.state !== 'cleaning') return;
  const { clean } = rubbishOf(doing)[plan.kind];
  if (clean === undefined) return;
  await orFail(engines, planId, isLastTry, async () => {
    for (let at = plan.done; at < plan.ids.length; at += batch) {
      const ids = plan.ids.slice(at, at + batch);
      const cleaned = await clean(engines, ids);
      const step = { done: at + ids.length, cleaned, now: new Date(clock()) };
      if (!(await database.work(system, (tx) => advance(tx, planId, step)))) break;
    }
    await end(engines, planId, false);
  });
}

/** Asks a cleaning to end. @throws CONFLICT where none goes on */
export async function askForEnd(engines: Engines, tx: Tx, kind: JunkKind, acting: Acting): Promise<void> {
  if (!(await cancelPlan(tx, kind, new Date(engines.clock()))))
    throw refuse('CONFLICT', { message: 'Nothing is being cleaned.' });
  await note(tx, acting, 'junk.cancelled', { kind });
}

async function orFail(engines: Engines, planId: string, isLastTry: boolean, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (isLastTry) await end(engines, planId, true);
    throw error;
  }
}

/** Ends a plan, and writes down what became of it in the same transaction. */
function end({ database, clock }: Engines, planId: string, hasFailed: boolean): Promise<void> {
  return database.work(system, async (tx) => {
    const plan = await endPlan(tx, planId, { hasFailed, now: new Date(clock()) });
    if (plan !== undefined && plan.hash !== '') await note(tx, { type: 'system' }, 'junk.cleaned', countsOf(plan));
  });
}

const countsOf = ({ kind, state, ids, done, cleaned }: StoredPlan) => ({
  kind,
  state,
  listed: ids.length,
  cleaned,
  kept: done - cleaned,
});

function note(tx: Tx, acting: Acting, action: string, details: Record<string, string | number>): Promise<void> {
  if (acting.type === 'system') return insertAudit(tx, { actor: acting, action, details });
  const { id, requestId } = acting;
  return insertAudit(tx, {
    actor: { type: 'admin', id },
    action,
    details,
    ...(requestId !== undefined && { requestId }),
  });
}
