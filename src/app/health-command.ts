import type { Engines } from '#engines/engines.ts';
import { lookAtCover } from '#features/money/health.ts';
import { findMailTroubles } from '#features/notices/commands.ts';
import { lookAtBackup } from './backup/backup-watch.ts';
import { describeTimeouts } from './describe-timeouts.ts';
import { findMissingKeys } from './rotate-keys.ts';

/** `pf health`: where everything is and what is wrong; it ends with exit code 1 while emails do not leave because of us, or less money is there than is kept for others. */
export async function describeHealth(engines: Engines): Promise<string> {
  const { database, storage, mail, jobs, keys } = engines;
  await jobs.start(false);
  const ageSeconds = await jobs.ageSeconds();
  await jobs.stop();
  const mails = await findMailTroubles(engines);
  // Whoever watches by the exit code learns it too.
  const cover = await lookAtCover(engines);
  if (mails.isOurs || cover.isShort) process.exitCode = 1;
  return [
    database.place,
    storage.place,
    mail.place,
    ...mails.troubles,
    ...cover.lines,
    `master key ${keys.current.id}, ${keys.all.size} in all`,
    ...(await findMissingKeys(engines)).map((id) => `master key ${id} is missing: what it wrapped cannot be opened`),
    `oldest waiting job: ${Math.round(ageSeconds)} s`,
    ...(await describeTimeouts(engines)),
    ...(await describeBackup(engines)),
  ]
    .map((line) => `· ${line}`)
    .join('\n');
}

async function describeBackup(engines: Engines): Promise<string[]> {
  const { backupDir } = engines.installation;
  if (backupDir === undefined) return [];
  const { base, keptAt, troubles } = await lookAtBackup(engines, backupDir);
  const moments = [
    `continuously backed up to ${backupDir}`,
    `newest base ${base?.begunAt.toISOString() ?? 'none'}`,
    `log saved at ${keptAt?.toISOString() ?? 'no time yet'}`,
  ];
  return [moments.join(', '), ...troubles];
}
