import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import { availableMemory, memoryUsage } from 'node:process';
import type { Engines } from '#engines/engines.ts';
import { countWorkers } from '#features/admin/workers-store.ts';
import { findMailTroubles } from '#features/notices/commands.ts';
import { formatBytes, formatCount } from '#kit/text.ts';
import { minuteMs } from '#kit/time.ts';
import { lookAtBackup } from '../backup/backup-watch.ts';
import { findMissingKeys } from '../rotate-keys.ts';
import { lookAtCertificate } from './certificate.ts';
import { countErrorsSince, findLastHook, readDatabaseClock } from './probes-store.ts';
import type { Finding, Probe } from './pulse.ts';

const system = { kind: 'system' } as const;
const gigabyte = 2 ** 30;
/** Below this a disk is nearly full: uploads are refused before it is. */
const [tightBytes, lowBytes] = [gigabyte, 5 * gigabyte];
const [lateSeconds, stuckSeconds] = [300, 3600];
const [driftMs, wrongMs] = [2000, 30_000];

const green = (finding: string): Finding => ({ light: 'green', finding });
const amber = (finding: string): Finding => ({ light: 'amber', finding });
const red = (finding: string): Finding => ({ light: 'red', finding });
const off = (finding: string): Finding => ({ light: 'off', finding });

const often = { watched: 2, else: 30 };
const usual = { watched: 3, else: 60 };
/** What costs a call to somebody else's server, or a write to a bucket. */
const outside = { watched: 4, else: 300 };
const rarely = { watched: 60, else: 600 };

/** How each part of an installation is looked at. @param freeOf tells the room on the disk of a folder */
export function listProbes(engines: Engines, freeOf = readFree): Probe[] {
  return [
    { part: 'database', every: often, look: () => lookAtDatabase(engines) },
    { part: 'backup', every: usual, needsDatabase: true, look: () => lookAtCopy(engines) },
    { part: 'storage', every: outside, look: () => lookAtStorage(engines) },
    { part: 'disk', every: usual, look: () => lookAtDisk(engines, freeOf) },
    { part: 'queue', every: often, needsDatabase: true, look: () => lookAtQueue(engines) },
    { part: 'mail', every: outside, look: () => lookAtMail(engines) },
    {
      part: 'provider',
      every: outside,
      needsDatabase: engines.sandbox !== undefined,
      look: () => lookAtProvider(engines),
    },
    { part: 'clock', every: usual, needsDatabase: true, look: () => lookAtClock(engines) },
    { part: 'keys', every: rarely, needsDatabase: true, look: () => lookAtKeys(engines) },
    { part: 'certificate', every: rarely, look: () => lookAtCertificate(engines.installation, engines.clock()) },
    { part: 'machine', every: usual, needsDatabase: true, look: () => lookAtMachine(engines) },
  ];
}

async function lookAtDatabase({ database }: Engines): Promise<Finding> {
  const began = performance.now();
  await database.urgent.work(system, readDatabaseClock);
  const [tookMs, waitMs] = [Math.round(performance.now() - began), Math.round(database.waitMs())];
  const finding = `Answered in ${tookMs} ms: ${database.place}`;
  return waitMs > 1000 ? amber(`${finding}. A call has waited ${waitMs} ms for a connection.`) : green(finding);
}

async function lookAtCopy(engines: Engines): Promise<Finding> {
  const { backupDir } = engines.installation;
  if (backupDir === undefined) return off('BACKUP_DIR is not set: nothing is copied continuously.');
  const { base, keptAt, troubles } = await lookAtBackup(engines, backupDir);
  if (troubles.length > 0) return red(troubles.join(' '));
  return green(
    `Log kept at ${keptAt?.toISOString() ?? 'no time yet'}, newest base ${base?.begunAt.toISOString() ?? 'none'}.`,
  );
}

/** A name of this process alone: several may have one store. */
const place = `pulse/${randomUUID()}`;

/** One small file is written, read and removed; backups leave it out. */
async function lookAtStorage({ storage }: Engines): Promise<Finding> {
  const bytes = Buffer.from('pulse');
  const began = performance.now();
  await storage.put(place, bytes);
  const isSame = (await storage.read(place)).equals(bytes);
  await storage.remove(place);
  if (!isSame) return red('A file that was written came back changed.');
  return green(`Written, read and removed in ${Math.round(performance.now() - began)} ms: ${storage.place}`);
}

/** What is free on the disk of a folder, and how large it is. */
async function readFree(folder: string): Promise<{ freeBytes: number; totalBytes: number }> {
  const { bavail, bsize, blocks } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

async function lookAtDisk({ installation }: Engines, freeOf: typeof readFree): Promise<Finding> {
  const { freeBytes, totalBytes } = await freeOf(installation.dataDir);
  const finding = `${formatBytes(freeBytes)} of ${formatBytes(totalBytes)} are free in ${installation.dataDir}.`;
  if (freeBytes < tightBytes) return red(finding);
  return freeBytes < lowBytes ? amber(finding) : green(finding);
}

async function lookAtQueue({ database, jobs }: Engines): Promise<Finding> {
  const [workers, ageSeconds, paused] = await Promise.all([
    database.urgent.work(system, (tx) => countWorkers(tx)),
    jobs.ageSeconds(),
    jobs.paused(),
  ]);
  if (workers.count === 0)
    return red(
      workers.silentSeconds === null
        ? 'No process runs jobs.'
        : `No process has run jobs for ${Math.round(workers.silentSeconds)} seconds.`,
    );
  const names = paused.map(({ queue }) => queue).toSorted();
  const rest = names.length === 0 ? '' : ` Paused: ${names.join(', ')}.`;
  const finding = `${formatCount(workers.count, 'process runs', 'processes run')} jobs; the oldest waits ${Math.round(ageSeconds)} seconds.${rest}`;
  if (ageSeconds > stuckSeconds) return red(finding);
  return ageSeconds > lateSeconds || names.length > 0 ? amber(finding) : green(finding);
}

async function lookAtMail(engines: Engines): Promise<Finding> {
  const { mail } = engines;
  await mail.check();
  // Without the database only what the server says is known.
  const { troubles, isOurs } = await findMailTroubles(engines).catch(() => ({ troubles: [], isOurs: false }));
  if (isOurs) return red(troubles.join('; '));
  return troubles.length > 0 ? amber(troubles.join('; ')) : green(`Emails leave: ${mail.place}`);
}

async function lookAtProvider({ payments, database, clock }: Engines): Promise<Finding> {
  if (payments.isOff) return off(payments.place);
  await payments.balance();
  const at = await database.urgent.work(system, findLastHook).catch(() => null);
  const said = at === null ? 'It has told nothing yet' : `It last told something ${ago(clock() - at.getTime())}`;
  return green(`It answers. ${said}. ${payments.place}`);
}

const ago = (ms: number) => {
  const minutes = Math.max(0, Math.round(ms / minuteMs));
  return minutes < 120 ? `${formatCount(minutes, 'minute', 'minutes')} ago` : `${Math.round(minutes / 60)} hours ago`;
};

async function lookAtClock({ database, clock }: Engines): Promise<Finding> {
  const began = clock();
  const there = await database.urgent.work(system, readDatabaseClock);
  const ended = clock();
  // Between the two it was read at some moment.
  const apart = Math.max(0, began - there, there - ended);
  const finding = `This process and the database are ${(apart / 1000).toFixed(1)} seconds apart.`;
  if (apart > wrongMs) return red(finding);
  return apart > driftMs ? amber(finding) : green(finding);
}

async function lookAtKeys(engines: Engines): Promise<Finding> {
  const missing = await findMissingKeys(engines);
  if (missing.length > 0)
    return red(`Master keys are missing: ${missing.join(', ')}. What they wrapped cannot be opened.`);
  return green(
    `${formatCount(engines.keys.all.size, 'master key', 'master keys')}, current ${engines.keys.current.id}.`,
  );
}

async function lookAtMachine({ database, clock }: Engines): Promise<Finding> {
  const [load = 0] = loadavg();
  const [cores, errors] = [
    availableParallelism(),
    await database.urgent.work(system, (tx) => countErrorsSince(tx, new Date(clock() - 5 * minuteMs))),
  ];
  const finding = [
    `Load ${load.toFixed(1)} on ${formatCount(cores, 'core', 'cores')}`,
    `this process takes ${formatBytes(memoryUsage.rss())}`,
    `${formatBytes(availableMemory())} of ${formatBytes(totalmem())} are free`,
    `${formatCount(errors, 'error', 'errors')} in five minutes.`,
  ].join('; ');
  return load > 4 * cores || availableMemory() < totalmem() / 20 || errors > 20 ? amber(finding) : green(finding);
}
