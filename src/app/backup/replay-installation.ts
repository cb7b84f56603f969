import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { logFolderOf } from '#engines/database/archiving.ts';
import { openDatabase } from '#engines/database/database.ts';
import {
  findReach,
  nameSegment,
  newestTimeline,
  type Reach,
  readHistory,
  readSegment,
  type Stretch,
  segmentBytes,
} from '#engines/database/log-chain.ts';
import { layReplay, replayLog } from '#engines/database/replay.ts';
import type { Log } from '#engines/engines.ts';
import { openKeyRing } from '#engines/keys/open-key-ring.ts';
import { openDiskStorage } from '#engines/storage/disk.ts';
import type { Storage } from '#engines/storage/storage.ts';
import { countUsers } from '#features/accounts/store.ts';
import { type Lost, listNamedWithSums, settleLostFiles } from '#features/media/missing-files-store.ts';
import type { Config } from '../config.ts';
import { openStorage } from '../engines.ts';
import { findMissingKeys } from '../rotate-keys.ts';
import { type Manifest, readManifest } from './archive.ts';
import { type Base, listBases, logNames, poolOf } from './backup-folder.ts';
import { fillInstallation } from './empty-installation.ts';
import { bringCluster, checkKind, checkPlace } from './restore.ts';

const unzip = promisify(gunzip);

/** A base, and the log that goes on from it. */
interface Chain extends Reach {
  base: Base;
  names: string[];
}

/**
 * Brings an installation back from BACKUP_DIR into an empty data folder: its newest base, and all of the log that came after, or what
 * had been done at a moment. Whole, or nothing at all.
 * @returns what to print @throws a sentence that says what to do
 */
export async function replayInstallation(config: Config, log: Log, backupDir: string, until?: Date): Promise<string> {
  const chain = await chooseChain(backupDir, until);
  const { folder } = chain.base;
  const manifest = await readManifest(folder);
  checkKind(config, manifest);
  const pooled = await listPool(backupDir);
  await checkPlace(config, folder, manifest, pooled);
  if (until === undefined && chain.gap !== undefined) throw new Error(describeGap(backupDir, chain, chain.gap));
  return fillInstallation(config, async () => {
    const { data, handOver } = await bringCluster(config.dataDir, folder, manifest);
    const damaged = await bringLog(logFolderOf(backupDir), chain, layReplay(data), until);
    handOver();
    const words = (text: string) => log.info({ engine: 'database' }, text.trim());
    const { number, lastAt, isAtMoment } = await replayLog(config.dataDir, words, until);
    if (until === undefined && number < chain.newest)
      throw new Error(
        `The log in ${logFolderOf(backupDir)} could only be replayed up to ${nameSegment({ timeline: chain.base.last.timeline, number })}, ` +
          `and there is more of it: ${adviseUntil}`,
      );
    const counted = await settleInstallation(config, log, { backupDir, folder, manifest, pooled });
    const cut = isAtMoment ? undefined : (damaged ?? chain.gap);
    return [
      counted,
      `This is the state of ${(lastAt ?? new Date(manifest.at)).toISOString()}: anything revoked later is open again.`,
      ...(cut === undefined ? [] : [`The log stops before ${cut}, which is missing or damaged.`]),
    ].join('\n');
  });
}

const adviseUntil = '`--until MOMENT` (like 2026-11-21T18:00:00Z) restores what was done before that moment.';

/** The newest base on the way of the log that was finished before the moment. @throws when there is none */
async function chooseChain(backupDir: string, until: Date | undefined): Promise<Chain> {
  const bases = listBases(backupDir);
  const names = logNames(logFolderOf(backupDir));
  const timeline = newestTimeline(names, Math.max(1, ...bases.map(({ last }) => last.timeline)));
  const way = readHistory(timeline, await readText(backupDir, `${nameTimeline(timeline)}.history`));
  for (const base of bases.toReversed()) {
    if (!isOnTheWay(base, way)) continue;
    if (until !== undefined && new Date((await readManifest(base.folder)).at) > until) continue;
    return { base, names, ...findReach(names, way, base.last.number) };
  }
  const [oldest] = bases;
  throw new Error(
    oldest === undefined
      ? `There is no backup in ${backupDir}: it has no base. Give the folder of a backup.`
      : `No base in ${backupDir} is that old: the oldest is from ${oldest.begunAt.toISOString()}.`,
  );
}

const nameTimeline = (timeline: number) => nameSegment({ timeline, number: 0 }).slice(0, 8);

/** A base that was made on a timeline which was left before its end leads nowhere. */
const isOnTheWay = ({ last }: Base, way: readonly Stretch[]) =>
  way.some(({ timeline, from, to }) => timeline === last.timeline && last.number >= from && last.number < to);

/** The first timeline has no history. */
async function readText(backupDir: string, name: string): Promise<string> {
  const place = path.join(logFolderOf(backupDir), `${name}.gz`);
  return existsSync(place) ? (await unzip(await readFile(place))).toString() : '';
}

function describeGap(backupDir: string, { base, newest }: Chain, gap: string): string {
  const { number } = readSegment(gap) ?? { number: 0 };
  const folder = logFolderOf(backupDir);
  const what =
    number === base.last.number && newest === number
      ? `The log in ${folder} does not continue from the base of ${base.begunAt.toISOString()}: ${gap} is missing.`
      : `The log in ${folder} has a gap: ${gap} is missing, and there is more after it.`;
  return `${what} Nothing was restored. ${adviseUntil} To restore the base alone: \`npm run pf -- restore ${base.folder}\`.`;
}

/** Copies the log to where the server can read it. @returns the first piece that is damaged, where a moment was asked for */
async function bringLog(
  from: string,
  { base, names }: Chain,
  to: string,
  until: Date | undefined,
): Promise<string | undefined> {
  for (const name of names.sort()) {
    const segment = readSegment(name);
    if (segment !== undefined && segment.number < base.first.number) continue;
    const bytes = await readFile(path.join(from, `${name}.gz`));
    const sizeBytes = await unzip(bytes).then(
      (plain) => plain.length,
      () => -1,
    );
    if (segment === undefined ? sizeBytes >= 0 : sizeBytes === segmentBytes)
      await writeFile(path.join(to, `${name}.gz`), bytes);
    else if (until !== undefined) return name;
    else throw new Error(`${path.join(from, name)}.gz is damaged, nothing was restored. ${adviseUntil}`);
  }
  return undefined;
}

async function listPool(backupDir: string): Promise<Set<string>> {
  const names = new Set<string>();
  for await (const name of openDiskStorage(poolOf(backupDir)).list('')) names.add(name);
  return names;
}

interface Source {
  backupDir: string;
  folder: string;
  manifest: Manifest;
  pooled: ReadonlySet<string>;
}

/**
 * Starts the database that was replayed and brings the files that its rows name. Of what is missing the rows say so from now on.
 * @returns what was counted @throws when a row needs a master key that is not here
 */
async function settleInstallation(config: Config, log: Log, source: Source): Promise<string> {
  const words = (text: string) => log.info({ engine: 'database' }, text.trim());
  const database = await openDatabase({ dataDir: config.dataDir, backupDir: null, migrations: null, log: words });
  const system = { kind: 'system' } as const;
  try {
    const [accounts, named] = await database.work(system, async (tx) => [
      await countUsers(tx),
      await listNamedWithSums(tx),
    ]);
    const keys = openKeyRing({ dataDir: config.dataDir, pfKeys: config.PF_KEYS });
    refuseWithoutKeys(config, await findMissingKeys({ database, keys }));
    const missing = await bringNamed(await openStorage(config), source, named);
    const counted = `${accounts} accounts and ${named.length - missing.length} stored files are in ${config.dataDir}.`;
    if (missing.length === 0) return counted;
    const lost = await database.work(system, (tx) => settleLostFiles(tx, missing));
    return `${counted}\n${describeLost(lost, missing.length)}`;
  } finally {
    await database.close();
  }
}

function refuseWithoutKeys(config: Config, missing: readonly string[]): void {
  if (missing.length > 0)
    throw new Error(
      `What came after the base needs a different master key ${missing.join(', ')}. Put your copy of keys.json ` +
        `into ${config.dataDir}, or set PF_KEYS.`,
    );
}

/**
 * Stores the files that rows name, and what else there was beside media. What was removed since stays removed.
 * @returns named files that the backup does not have whole
 */
async function bringNamed(
  storage: Storage,
  { backupDir, folder, manifest, pooled }: Source,
  named: readonly { path: string; sha256: Buffer | null }[],
): Promise<string[]> {
  const inBase = new Set(manifest.files.map(({ name }) => name));
  const placeOf = (name: string) => {
    if (inBase.has(`files/${name}`)) return path.join(folder, 'files', name);
    return pooled.has(name) ? path.join(poolOf(backupDir), name) : undefined;
  };
  const missing: string[] = [];
  for (const { path: name, sha256 } of named) {
    const place = placeOf(name);
    const isWhole = place !== undefined && (sha256 === null || (await hashOf(place)).equals(sha256));
    if (isWhole) await storage.put(name, createReadStream(place));
    else missing.push(name);
  }
  const others = [...pooled, ...[...inBase].flatMap((name) => /^files\/(.*)$/.exec(name)?.[1] ?? [])];
  for (const name of new Set(others)) {
    const place = name.startsWith('media/') ? undefined : placeOf(name);
    if (place !== undefined) await storage.put(name, createReadStream(place));
  }
  return missing;
}

async function hashOf(place: string): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(place) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest();
}

function describeLost({ pictures, originals, media }: Lost, files: number): string {
  const parts = [
    `${pictures} photos have to be recreated from their originals (their owners are asked to try again)`,
    `${originals} can be viewed but no longer downloaded`,
    `${media} are gone (their owners are asked to upload them again)`,
  ];
  return `${files} files that the database refers to had not been backed up yet: ${parts.join(', ')}.`;
}
