import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import {
  countListed,
  deleteUnlisted,
  holdListedMedia,
  insertListed,
  type ListedHash,
} from '#features/media/blocked-media.ts';
import { newId } from '#kit/ids.ts';
import { formatCount } from '#kit/text.ts';

const system = { kind: 'system' } as const;
const usage = 'Use `hashes` or `hashes load FILE`.';
/** Written at once; a list that is loaded again replaces the one before. */
const perStep = 5000;
const mostLines = 5_000_000;

type Needed = Pick<Engines, 'database' | 'clock'>;

/** `pf hashes …`: the list of what may not be shown. @returns what to print @throws a sentence that says what is wrong */
export async function runHashes(engines: Needed, [verb, file]: readonly string[]): Promise<string> {
  if (verb === undefined) return describeList(engines);
  if (verb !== 'load' || file === undefined) throw new Error(usage);
  // Read to its end first: a list with a fault changes nothing.
  for await (const _ of readHashList(file));
  const held = await loadList(engines, file);
  return `${await describeList(engines)} ${formatCount(held, 'photo or video', 'photos and videos')} of this installation ${held === 1 ? 'is' : 'are'} held back for it now.`;
}

async function describeList({ database }: Needed): Promise<string> {
  const { files, looks } = await database.work(system, countListed);
  return `The list has ${formatCount(files, 'hash', 'hashes')} of files and ${formatCount(looks, 'hash', 'hashes')} of what pictures look like.`;
}

/** Replaces the list, and holds back what is here already. @returns how much */
async function loadList({ database, clock }: Needed, file: string): Promise<number> {
  const now = new Date(clock());
  const listId = newId<'hashList'>(now.getTime());
  let hashes: ListedHash[] = [];
  const flush = async () => {
    if (hashes.length > 0) await database.work(system, (tx) => insertListed(tx, { listId, hashes, now }));
    hashes = [];
  };
  for await (const hash of readHashList(file)) if (hashes.push(hash) === perStep) await flush();
  await flush();
  return database.work(system, async (tx) => {
    await deleteUnlisted(tx, listId);
    await insertAudit(tx, { actor: { type: 'system' }, action: 'hashes.loaded', details: await countListed(tx) });
    return holdListedMedia(tx, now);
  });
}

/**
 * Reads a list, a hash a line: "sha256:…" of a file's bytes or "blockhash:…" of what a picture looks like (256 bits), 64 hex
 * digits each; without a word in front it is a SHA-256. Empty lines and those that begin with # are left out.
 * @throws naming the first line that is none of these
 */
export async function* readHashList(file: string): AsyncGenerator<ListedHash> {
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (++number > mostLines) throw new Error(`The list has more than ${mostLines.toLocaleString('en')} lines.`);
    const entry = line.trim().toLowerCase();
    if (entry === '' || entry.startsWith('#')) continue;
    const [, word = 'sha256', digits = ''] = /^(?:(sha256|blockhash):)?([0-9a-f]{64})$/.exec(entry) ?? [];
    if (digits === '')
      throw new Error(`Line ${number} is no hash; nothing was changed. Write "sha256:…" or "blockhash:…".`);
    yield word === 'sha256' ? { sha256: Buffer.from(digits, 'hex') } : { blockhash: digits };
  }
}
