import type { Engines } from '#engines/engines.ts';
import { checkAudit } from './chain/sealing.ts';
import { findEntries } from './desk/search-store.ts';
import type { AuditSearch } from './desk-contract.ts';

const shown = 200;

/** `pf audit`: the newest entries that a search finds. @returns what to print */
export async function describeAudit({ database }: Pick<Engines, 'database'>, search: AuditSearch): Promise<string> {
  const entries = await database.work({ kind: 'system' }, (tx) => findEntries(tx, { ...search, limit: shown }));
  if (entries.length === 0) return 'Nothing was found.';
  return entries
    .map(({ at, actor, actorId, action, targetType, targetId, details, requestId }) =>
      [
        `${at.toISOString()}  ${action}  by ${actor}${actorId === null ? '' : ` ${actorId}`}`,
        ...(targetId === null ? [] : [`    ${targetType ?? 'target'} ${targetId}`]),
        ...(Object.keys(details).length === 0 ? [] : [`    ${JSON.stringify(details)}`]),
        ...(requestId === null ? [] : [`    request ${requestId}`]),
      ].join('\n'),
    )
    .join('\n');
}

/** `pf audit --check`: looks at every seal. @returns what to print; ends with exit code 1 when the log was changed */
export async function describeAuditCheck(engines: Pick<Engines, 'database' | 'clock'>): Promise<string> {
  const { seals, entries, fault } = await checkAudit(engines);
  if (fault === null) return `The audit log is as it was written: ${entries} entries under ${seals} seals.`;
  process.exitCode = 1;
  return `The audit log was changed. ${fault} Everything before it is as it was written: ${entries} entries under ${seals} seals.`;
}
