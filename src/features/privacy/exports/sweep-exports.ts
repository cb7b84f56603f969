import type { Engines } from '#engines/engines.ts';
import { isUuid } from '#kit/ids.ts';
import { exportRowsKeptMs, longestExportMs } from '../rules.ts';
import { endExports, forgetExports, listEndedExports, listKnownExports, noteFilesRemoved } from './exports-store.ts';
import { folderOf, removeFiles } from './volumes.ts';

const system = { kind: 'system' } as const;

/** Ends exports whose seven days are over – the key first, then the files – and removes files that no export names; safe to repeat. */
export async function sweepExports({ database, storage, clock }: Engines): Promise<void> {
  const now = new Date(clock());
  const before = (ms: number) => new Date(now.getTime() - ms);
  await database.work(system, (tx) => endExports(tx, now, before(longestExportMs)));
  for (const id of await database.work(system, (tx) => listEndedExports(tx))) {
    await removeFiles(storage, folderOf(id));
    await database.work(system, (tx) => noteFilesRemoved(tx, id, now));
  }
  const stored = new Set<string>();
  for await (const path of storage.list('exports/')) {
    const [, id = ''] = path.split('/');
    if (isUuid(id)) stored.add(id);
  }
  if (stored.size > 0) {
    const known = await database.work(system, (tx) => listKnownExports(tx, [...stored]));
    for (const id of stored) if (!known.has(id)) await removeFiles(storage, folderOf(id));
  }
  await database.work(system, (tx) => forgetExports(tx, before(exportRowsKeptMs)));
}
