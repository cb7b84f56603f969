import type { Engines } from '#engines/engines.ts';
import { lookAtCover } from '#features/money/health.ts';
import { findMailTroubles } from '#features/notices/commands.ts';
import type { PartState } from '#wire/pulse.ts';
import { lookAtBackup } from '../backup/backup-watch.ts';
import { describeTimeouts } from '../describe-timeouts.ts';
import { findMissingKeys } from '../rotate-keys.ts';
import { version } from '../version.ts';
import { listProbes } from './probes.ts';
import { lookOnce } from './pulse.ts';

/** `pf health`: where everything is and what is wrong; it ends with exit code 1 while a part is red, emails do not leave because of us, or less money is there than is kept for others. */
export async function describeHealth(engines: Engines): Promise<string> {
  const { database, jobs, keys } = engines;
  await jobs.start(false);
  const parts = await lookOnce(listProbes(engines), engines);
  await jobs.stop();
  const mails = await findMailTroubles(engines);
  // Whoever watches by the exit code learns it too.
  const cover = await lookAtCover(engines);
  if (mails.isOurs || cover.isShort || parts.some((state) => isTrouble(state, database.isAlone))) process.exitCode = 1;
  return [
    `PrivateFans ${version}`,
    ...parts.map(describePart),
    ...mails.troubles,
    ...cover.lines,
    `master key ${keys.current.id}, ${keys.all.size} in all`,
    ...(await findMissingKeys(engines)).map((id) => `master key ${id} is missing: what it wrapped cannot be opened`),
    ...(await describeTimeouts(engines)),
    ...(await describeBackup(engines)),
  ]
    .map((line) => `· ${line}`)
    .join('\n');
}

/** Beside an app that does not run, nobody is expected to run jobs. */
const isTrouble = ({ part, light }: PartState, isAlone: boolean) => light === 'red' && !(part === 'queue' && isAlone);

const describePart = ({ part, light, finding }: PartState) => `${part}: ${light}. ${finding}`;

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
