import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { isAlive } from '#engines/database/cluster.ts';

const Manifest = z.object({
  format: z.literal('privatefans-backup'),
  version: z.literal(1),
  /** What is in it of the database: the files of its cluster, its rows as text, or nothing, because an operator keeps it. */
  database: z.enum(['cluster', 'rows', 'none']),
  /** The moment whose state this is. */
  at: z.iso.datetime(),
  /** Major version of PostgreSQL that the files of a cluster need. */
  postgres: z.string(),
  migrations: z.array(z.string()),
  /** Master keys that open what is stored, each with a proof that tells it from another of the same name. */
  keys: z.record(z.string(), z.string()),
  /** Folders of the cluster, the empty ones too. */
  folders: z.array(z.string()),
  files: z.array(z.object({ name: z.string(), sizeBytes: z.int(), sha256: z.string() })),
});
/** What a backup says about itself, written when everything else is there. */
export type Manifest = z.infer<typeof Manifest>;

const manifestName = 'manifest.json';
const sumName = 'manifest.json.sha256';
const sha256Of = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

/** A backup while it is made: under another name, until it is whole. */
export interface Draft {
  /** Copies bytes, down to the disk. */
  keep(name: string, source: string | Buffer | Readable): Promise<void>;
  /** Takes a file that is never changed, by a second name for it where the file system can. */
  share(name: string, source: string): Promise<void>;
  has(name: string): boolean;
  /** Writes the manifest and gives the whole its name. */
  seal(about: Omit<Manifest, 'format' | 'version' | 'files'>): Promise<Manifest>;
  /** Leaves nothing behind. */
  drop(): Promise<void>;
}

/**
 * Begins a backup.
 * @throws a sentence when there is something in the folder already
 */
export async function beginDraft(folder: string): Promise<Draft> {
  const target = path.resolve(folder);
  if (existsSync(target) && (await readdir(target)).length > 0)
    throw new Error(`${target} is not empty. Choose a folder that does not exist yet.`);
  await mkdir(path.dirname(target), { recursive: true });
  await sweepDrafts(target);
  const made = `${target}.unfinished.${process.pid}`;
  await mkdir(made, { mode: 0o700 });
  const files = new Map<string, Manifest['files'][number]>();
  const placeOf = async (name: string) => {
    const place = path.join(made, checkName(name));
    await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
    return place;
  };
  const keep: Draft['keep'] = async (name, source) => {
    const place = await placeOf(name);
    try {
      files.set(name, { name, ...(await copyCounted(streamOf(source), place)) });
    } catch (error) {
      await rm(place, { force: true });
      throw error;
    }
  };
  return {
    keep,
    async share(name, source) {
      const place = await placeOf(name);
      const isLinked = await link(source, place).then(
        () => true,
        () => false,
      );
      if (isLinked) files.set(name, { name, ...(await countFile(place)) });
      else await keep(name, source);
    },
    has: (name) => files.has(name),
    async seal(about) {
      const manifest: Manifest = { format: 'privatefans-backup', version: 1, ...about, files: [...files.values()] };
      const text = `${JSON.stringify(manifest, null, 1)}\n`;
      await writeFile(path.join(made, manifestName), text, { flush: true, mode: 0o600 });
      await writeFile(path.join(made, sumName), `${sha256Of(text)}  ${manifestName}\n`, { flush: true, mode: 0o600 });
      await syncFolders(made);
      await rename(made, target);
      await syncFolder(path.dirname(target));
      return manifest;
    },
    drop: () => rm(made, { recursive: true, force: true }),
  };
}

/** Removes what backups of this name left that were cut off. */
async function sweepDrafts(target: string): Promise<void> {
  const start = `${path.basename(target)}.unfinished.`;
  for (const name of await readdir(path.dirname(target))) {
    if (!name.startsWith(start)) continue;
    const pid = Number(name.slice(start.length));
    if (pid !== process.pid && isAlive(pid)) throw new Error(`Process ${pid} is making this backup now.`);
    await rm(path.join(path.dirname(target), name), { recursive: true, force: true });
  }
}

/** @throws for a name that would lead out of the backup */
function checkName(name: string): string {
  if (name.split('/').every((part) => part !== '' && part !== '.' && part !== '..')) return name;
  throw new Error(`The name ${JSON.stringify(name)} points outside the backup.`);
}

const streamOf = (source: string | Buffer | Readable): Readable => {
  if (typeof source === 'string') return createReadStream(source);
  return Buffer.isBuffer(source) ? Readable.from([source]) : source;
};

/** Copies a stream down to the disk and counts it on the way. */
export async function copyCounted(from: Readable, place: string): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(from, count, createWriteStream(place, { flush: true, mode: 0o600 }));
  return { sizeBytes, sha256: hash.digest('hex') };
}

async function countFile(place: string): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of createReadStream(place) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    sizeBytes += chunk.length;
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}

async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    if (entry.isDirectory()) await syncFolder(path.join(entry.parentPath, entry.name));
  await syncFolder(folder);
}

/** A new name is lasting only when its folder is on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Reads what a backup says about itself.
 * @throws a sentence when it is none, was damaged, or was made by a newer version
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const read = (name: string) => readFile(path.join(folder, name)).catch(() => undefined);
  const [text, sum] = [await read(manifestName), await read(sumName)];
  if (text === undefined) throw new Error(`There is no backup in ${folder}: ${manifestName} is missing.`);
  if (sum?.toString().split(' ')[0] !== sha256Of(text))
    throw new Error(`The backup in ${folder} is damaged: ${manifestName} was changed. Use another one.`);
  const parsed = Manifest.safeParse(JSON.parse(text.toString()));
  if (!parsed.success) throw new Error(`The backup in ${folder} was made by another version. Use that version.`);
  const { folders, files, migrations } = parsed.data;
  for (const name of [...folders, ...migrations, ...files.map((file) => file.name)]) checkName(name);
  return parsed.data;
}

/**
 * Compares every file of a backup with its manifest; reads all of it, changes nothing.
 * @throws a sentence that names the first files that are missing or damaged
 */
export async function checkFiles(folder: string, { files }: Manifest): Promise<void> {
  const wrong: string[] = [];
  for (const { name, sizeBytes, sha256 } of files) {
    const found = await countFile(path.join(folder, name)).catch(() => undefined);
    if (found === undefined) wrong.push(`${name} is missing`);
    else if (found.sizeBytes !== sizeBytes || found.sha256 !== sha256) wrong.push(`${name} was changed`);
  }
  if (wrong.length === 0) return;
  const more = wrong.length > 5 ? ` and ${wrong.length - 5} more` : '';
  throw new Error(
    `The backup in ${folder} is damaged, nothing was restored: ${wrong.slice(0, 5).join(', ')}${more}. Use another one.`,
  );
}
