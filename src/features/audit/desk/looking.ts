import { byteOrderMark, writeLine } from '#kit/csv.ts';
import type { AdminContext } from '#wire/context.ts';
import { listChecks } from '../chain/chain-store.ts';
import type { AuditCheckRow, AuditRow, AuditSearch } from '../desk-contract.ts';
import { insertAudit } from '../store.ts';
import { findEntries } from './search-store.ts';

const shown = 50;
const mostExported = 5000;
export const checkQueue = 'audit.check';

/** Finds entries, the newest first. @param before only those with a lower number */
export async function searchAudit(
  { asSystem }: AdminContext,
  { before, ...search }: AuditSearch & { before?: number | undefined },
): Promise<{ entries: AuditRow[]; next: number | null }> {
  const found = await asSystem((tx) => findEntries(tx, { ...search, before, limit: shown + 1 }));
  const entries = found.slice(0, shown);
  return { entries, next: found.length > shown ? (entries.at(-1)?.id ?? null) : null };
}

/** Writes what a search finds as a table; that somebody has taken it along is an entry of its own. */
export async function exportAudit({ asSystem, admin, requestId }: AdminContext, search: AuditSearch) {
  const found = await asSystem(async (tx) => {
    const entries = await findEntries(tx, { ...search, limit: mostExported + 1 });
    const details = { entries: Math.min(entries.length, mostExported) };
    await insertAudit(tx, { actor: { type: 'admin', id: admin.userId }, action: 'audit.exported', details, requestId });
    return entries;
  });
  const entries = found.slice(0, mostExported);
  return {
    csv: byteOrderMark + writeLine(columns) + entries.map((entry) => writeLine(cellsOf(entry))).join(''),
    entries: entries.length,
    isCut: found.length > mostExported,
  };
}

const columns = ['number', 'time (UTC)', 'actor', 'actor id', 'action', 'target', 'target id', 'details', 'request id'];

const cellsOf = ({ id, at, actor, actorId, action, targetType, targetId, details, requestId }: AuditRow) => [
  id,
  at.toISOString(),
  actor,
  actorId ?? '',
  action,
  targetType ?? '',
  targetId ?? '',
  JSON.stringify(details),
  requestId ?? '',
];

/** Shows the newest checks of the chain. */
export const showChecks = ({ asSystem }: AdminContext): Promise<AuditCheckRow[]> => asSystem(listChecks);

/** Has the chain checked; one check at a time, however often it is asked for. */
export async function beginCheck({ asSystem, admin, requestId, engines }: AdminContext): Promise<void> {
  await asSystem(async (tx) => {
    await engines.jobs.send(tx, checkQueue, {});
    await insertAudit(tx, { actor: { type: 'admin', id: admin.userId }, action: 'audit.check_begun', requestId });
  });
}
