import type { Context } from '#wire/context.ts';
import type { ProcedureMeta } from '#wire/promise.ts';
import { listIds, sentIds } from './leaks/listed-ids.ts';
import { findForeignThings } from './leaks/owners-store.ts';
import { insertErrorLog } from './store.ts';

/** A list that had something of somebody else's in it; nothing of it leaves. */
class DataLeak extends Error {
  constructor(procedure: string, kinds: readonly string[]) {
    super(`${procedure} listed what is somebody else's: ${kinds.join(', ')}`);
    this.name = 'DataLeak';
  }
}

/**
 * Looks at every list that a creator is given before it leaves: each thing in it has to be theirs. It never is another's while
 * row-level security holds; this is for the day on which it does not.
 * @throws DataLeak, after it was written down for whoever runs the installation
 */
export async function checkLists(
  context: Context,
  {
    procedure,
    meta,
    input,
    answer,
  }: { procedure: string; meta: Pick<ProcedureMeta, 'who'>; input: unknown; answer: unknown },
): Promise<void> {
  const { who } = meta;
  // What an administrator sees on the desk is other people's.
  if (!who.includes('creator') || who.some((one) => one !== 'creator' && one !== 'admin')) return;
  const sent = new Set(sentIds(input));
  const ids = listIds(answer).filter((id) => !sent.has(id));
  if (ids.length === 0) return;
  const actor = await context.actor();
  if (actor.kind === 'visitor') return;
  const { userId } = actor;
  const things = await findForeignThings(context.engines.database, userId, ids);
  if (things.length === 0) return;
  const leak = new DataLeak(procedure, [...new Set(things.map(({ kind }) => kind))]);
  await context.asSystem((tx) =>
    insertErrorLog(
      tx,
      { component: 'data leak', message: leak.message, severity: 'critical', userId, requestId: context.requestId },
      context.now,
    ),
  );
  throw leak;
}
