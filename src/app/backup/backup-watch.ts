import { stat } from 'node:fs/promises';
import path from 'node:path';
import { askLogKeeping, logFolderOf } from '#engines/database/archiving.ts';
import { findReach, readSegment } from '#engines/database/log-chain.ts';
import { withoutDeadline } from '#engines/deadline.ts';
import type { Engines } from '#engines/engines.ts';
import { insertErrorLog } from '#features/audit/store.ts';
import { type Base, filesNoteOf, keepNewFiles, listBases, logNames, poolOf } from './backup-folder.ts';

/** How long something may be written without any of it being kept. */
const patienceMs = 600_000;

/** How the backup that goes on all the time is doing. */
export interface BackupState {
  base: Base | undefined;
  /** When the log was last kept. */
  keptAt: Date | undefined;
  /** Sentences that say what is wrong and what to do. */
  troubles: string[];
}

/** Looks at what has come into the backup folder, and what the server says of it. */
export async function lookAtBackup(
  { database, clock }: Pick<Engines, 'database' | 'clock'>,
  backupDir: string,
): Promise<BackupState> {
  const said = await database.urgent.work({ kind: 'system' }, (tx) => askLogKeeping(tx));
  const folder = logFolderOf(backupDir);
  const names = logNames(folder);
  const base = listBases(backupDir).at(-1);
  const current = readSegment(said.current) ?? { timeline: 1, number: 0 };
  const here = names.filter((name) => readSegment(name)?.timeline === current.timeline).sort();
  const newest = here.at(-1);
  const keptAt = newest === undefined ? undefined : (await stat(path.join(folder, `${newest}.gz`))).mtime;
  const troubles: string[] = [];
  if (!said.isOn) troubles.push('The running database was started without BACKUP_DIR: start the app again.');
  if (said.isFailing) troubles.push(`The log cannot be written to ${folder}; the app's log says why.`);
  const isWaiting = current.number - 1 > (readSegment(newest ?? '')?.number ?? -1);
  const sinceMs = Math.max(keptAt?.getTime() ?? 0, said.bootedAt.getTime());
  if (isWaiting && clock() - sinceMs > patienceMs)
    troubles.push(`No log has arrived in ${folder} since ${new Date(sinceMs).toISOString()}.`);
  const filesAt = await stat(filesNoteOf(backupDir)).catch(() => undefined);
  const filesMs = Math.max(filesAt?.mtimeMs ?? 0, said.bootedAt.getTime());
  if (clock() - filesMs > patienceMs)
    troubles.push(
      `Not all stored files have been copied to ${poolOf(backupDir)} since ${new Date(filesMs).toISOString()}.`,
    );
  const again = 'make one with `npm run pf -- backup`';
  if (base === undefined) troubles.push(`There is no base in ${backupDir} for the log to continue from: ${again}.`);
  else {
    const gap = findGap(names, base, current);
    if (gap !== undefined)
      troubles.push(`The log does not continue from the newest base, ${gap} is missing: ${again}.`);
  }
  return { base, keptAt, troubles };
}

/** The newest piece may be on its way. */
function findGap(names: readonly string[], { last }: Base, current: { timeline: number }): string | undefined {
  const way = [last.timeline, current.timeline].map((timeline) => ({
    timeline,
    from: 0,
    to: Number.POSITIVE_INFINITY,
  }));
  return findReach(names, way, last.number).gap;
}

const queue = 'backup.keep';

/** Brings new files into the backup folder every other minute, and says when something stays behind. */
export function declareBackupJobs(engines: Engines): void {
  const { installation, jobs, database, log, clock } = engines;
  const { backupDir } = installation;
  // What still waits of a time with a backup would wait for ever, and make the queue look old.
  if (backupDir === undefined) {
    jobs.handle(queue, async () => undefined, { perKey: 'one' });
    return;
  }
  const reported = new Set<string>();
  let keeping: Promise<unknown> | undefined;
  /** The first time may take hours: whoever comes meanwhile waits for it instead of copying the same. */
  const keep = () => {
    keeping ??= withoutDeadline(() => keepNewFiles(engines, backupDir)).finally(() => {
      keeping = undefined;
    });
    return keeping;
  };
  jobs.every('*/2 * * * *', queue, async () => {
    await keep();
    const { troubles } = await lookAtBackup(engines, backupDir);
    for (const trouble of troubles) log.error({ area: 'backup' }, trouble);
    const news = troubles.filter((trouble) => !reported.has(trouble));
    reported.clear();
    for (const trouble of troubles) reported.add(trouble);
    await database.work({ kind: 'system' }, async (tx) => {
      for (const message of news)
        await insertErrorLog(tx, { component: queue, message, severity: 'critical' }, new Date(clock()));
    });
  });
}
