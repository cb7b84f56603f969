import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findCluster, findRunning, isAlive, placeCluster } from '#engines/database/cluster.ts';
import { openKeyRing } from '#engines/keys/open-key-ring.ts';
import type { Config } from '../config.ts';
import { type Manifest, syncFolder } from './archive.ts';
import { keyProofs } from './key-proofs.ts';

/** Stands in a data folder from the first byte that is brought into it to the last. */
const markerOf = (dataDir: string) => path.join(dataDir, 'restoring');

/** What an operator puts there before. */
const keyFile = 'keys.json';

/** @throws in a data folder that was not filled to the end: nothing may begin to work in half an installation */
export function refuseCutOff(dataDir: string): void {
  if (existsSync(markerOf(dataDir)))
    throw new Error(`The restore or import into ${dataDir} did not finish. Run it again.`);
}

/**
 * Whether a data folder may be filled.
 * @throws a sentence when somebody lives there
 */
export function checkEmpty({ dataDir, DATABASE_URL }: Config): void {
  const marker = markerOf(dataDir);
  if (existsSync(marker)) {
    const pid = Number.parseInt(readFileSync(marker, 'utf8'), 10);
    if (pid !== process.pid && isAlive(pid))
      throw new Error(`Process ${pid} is filling ${dataDir} now. If that process is something else, remove ${marker}.`);
    return;
  }
  const found = existsSync(dataDir) ? readdirSync(dataDir).filter((name) => name !== keyFile) : [];
  if (found.length > 0)
    throw new Error(
      `${dataDir} is not empty (${found.slice(0, 3).join(', ')}). Choose an empty DATA_DIR; it may contain only ${keyFile}.`,
    );
  const left = DATABASE_URL === undefined ? findCluster(dataDir) : undefined;
  if (left !== undefined)
    throw new Error(
      `The database that belonged to this DATA_DIR is still in ${left}. Move it away first, or choose another DATA_DIR.`,
    );
}

/**
 * Whether the master keys are here that a backup needs.
 * @throws a sentence when one is missing or another one has its name
 */
export function checkKeys(config: Config, { keys }: Manifest): void {
  const place = path.join(config.dataDir, keyFile);
  const advice = `Put your copy of ${keyFile} into ${config.dataDir}, or set PF_KEYS.`;
  if (config.PF_KEYS === undefined && !existsSync(place))
    throw new Error(`The master keys are missing, and a backup is useless without them. ${advice}`);
  const ring = openKeyRing({ dataDir: config.dataDir, pfKeys: config.PF_KEYS });
  const proofs = keyProofs(ring);
  const wrong = Object.entries(keys).filter(([id, proof]) => proofs[id] !== proof);
  if (wrong.length === 0) return;
  const ids = wrong.map(([id]) => id).join(', ');
  throw new Error(
    wrong.some(([id]) => ring.all.has(id))
      ? `The backup needs a different master key ${ids}. ${advice}`
      : `The backup was made when master key ${ids} was in use, and it isn't here. ${advice} A backup from before a rotation is opened by the old key only.`,
  );
}

/**
 * Fills an empty data folder: whole, or empty again, or marked as cut off, and then the next call begins again.
 * @throws what `fill` throws, with the folder as empty as before
 */
export async function fillInstallation<T>(config: Config, fill: () => Promise<T>): Promise<T> {
  const { dataDir } = config;
  const marker = markerOf(dataDir);
  if (existsSync(marker)) await clear(config);
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(marker, `${process.pid} is filling this folder. This file is removed when it has finished.\n`, {
    flush: true,
  });
  await syncFolder(dataDir);
  try {
    const result = await fill();
    rmSync(marker);
    await syncFolder(dataDir);
    return result;
  } catch (error) {
    await clear(config);
    rmSync(marker);
    throw error;
  }
}

/** Takes away what was brought; the keys are the operator's. */
async function clear({ dataDir, DATABASE_URL }: Config): Promise<void> {
  if (DATABASE_URL === undefined) {
    const { data } = placeCluster(dataDir);
    // The server of whoever was killed goes after it, and must not write into what comes next.
    for (let tries = 0; findRunning(data) !== undefined; tries++) {
      if (tries === 600) throw new Error(`A server is still running in ${data}. Stop it, then run this again.`);
      await wait(50);
    }
    rmSync(data, { recursive: true, force: true });
  }
  for (const name of ['pg', 'files', 'staging']) rmSync(path.join(dataDir, name), { recursive: true, force: true });
}
