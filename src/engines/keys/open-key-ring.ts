import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type KeyRing, keyRingOf, type RingKey } from './key-ring.ts';
import { replaceFile, writeOnce } from './write-once.ts';

/**
 * The installation's master keys: those of `PF_KEYS`, then those of `<dataDir>/keys.json`, so that an installation that moves
 * its keys into the environment still opens what the file's key has wrapped. The first start writes a key into the file.
 * @param options.pfKeys `id:base64,id:base64`, newest first
 * @throws Error when a key is malformed; a damaged file is never replaced, because that would lose every picture
 */
export function openKeyRing({ dataDir, pfKeys }: { dataDir: string; pfKeys?: string | undefined }): KeyRing {
  const file = join(dataDir, 'keys.json');
  const given = pfKeys ? parsePfKeys(pfKeys) : [];
  const stored = readKeys(file);
  if (given.length || stored) return keyRingOf([...given, ...(stored ?? [])]);
  mkdirSync(dataDir, { recursive: true });
  writeOnce(file, fileOf([newKey()]));
  return keyRingOf(readKeys(file) ?? []);
}

const newKey = (): RingKey => ({ id: randomBytes(4).toString('hex'), key: randomBytes(32) });

const fileOf = (keys: readonly RingKey[]) =>
  `${JSON.stringify({ keys: keys.map(({ id, key }) => ({ id, key: key.toString('base64') })) }, null, 2)}\n`;

/**
 * Makes the next master key. Without `PF_KEYS` it stands first in the file from now on, and the next start wraps by it.
 * @returns the new key, as `PF_KEYS` takes it @throws Error when there is no file whose keys could follow it, or it is damaged
 */
export function addKey({ dataDir, pfKeys }: { dataDir: string; pfKeys?: string | undefined }): string {
  const made = newKey();
  if (!pfKeys) {
    const file = join(dataDir, 'keys.json');
    const stored = readKeys(file);
    if (!stored) throw new Error(`${file} is missing: start PrivateFans once, or set DATA_DIR to its folder.`);
    replaceFile(file, fileOf([made, ...stored]));
  }
  return `${made.id}:${made.key.toString('base64')}`;
}

/** The keys of `PF_KEYS`. @throws Error that says which entry is wrong, never what stood there */
export function parsePfKeys(text: string): RingKey[] {
  return text.split(',').map((entry, i) => {
    const [, id, key] = /^\s*([A-Za-z0-9._-]{1,32}):([A-Za-z0-9+/_-]{43}=?)\s*$/.exec(entry) ?? [];
    if (!id || !key) throw new Error(`PF_KEYS: entry ${i + 1} is not "id:base64" of 32 bytes`);
    return { id, key: Buffer.from(key, 'base64') };
  });
}

function readKeys(file: string): RingKey[] | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (statSync(file).mode & 0o077) chmodSync(file, 0o600);
  const keys = parseKeyFile(text);
  if (!keys) throw new Error(`${file} is damaged: restore it from a backup; its keys open every stored file`);
  return keys;
}

function parseKeyFile(text: string): RingKey[] | undefined {
  let parsed: { keys?: { id?: unknown; key?: unknown }[] } | null;
  try {
    parsed = JSON.parse(text);
  } catch {
    return; // The caller says that the file is damaged, and where it is.
  }
  const keys = parsed?.keys;
  if (!Array.isArray(keys) || !keys.length) return;
  const ring = keys.map(({ id, key }) => ({ id: String(id), key: Buffer.from(String(key), 'base64') }));
  return ring.every(({ key }) => key.length === 32) ? ring : undefined;
}
