import type { Engines } from '#engines/engines.ts';
import type { KeyRing } from '#engines/keys/key-ring.ts';
import { insertAudit } from '#features/audit/store.ts';
import {
  beforeAll,
  countUsedKeys,
  type KeyTable,
  mediaKeyTables,
  type Rewrapped,
  rewrapKeys,
  type UsedKey,
} from '#features/media/key-tables-store.ts';
import { ensureMailKeys } from '#features/notices/mail-keys-store.ts';
import { traceKeyTable } from '#features/tracing/store.ts';

type Needs = Pick<Engines, 'database' | 'keys'>;
const system = { kind: 'system' } as const;

/** Every table with keys that a master key has wrapped. */
export const keyTables: readonly KeyTable[] = [
  ...mediaKeyTables,
  traceKeyTable,
  { table: 'export_keys', owner: 'export_id' },
  { table: 'push_keys', owner: 'id' },
  { table: 'mail_keys', owner: 'id' },
  { table: 'second_factors', owner: 'user_id' },
];

/** Rows that change in one transaction: what a killed command loses. */
const rowsAtOnce = 500;

/**
 * Wraps by the newest master key whatever an older one has wrapped, some rows at a time: cut off anywhere, the next call goes on.
 * @returns what to print
 * @throws a sentence when some keys did not open: then no master key may be removed yet
 */
export async function rotateKeys({ database, keys }: Needs, limit = rowsAtOnce): Promise<string> {
  await database.work(system, (tx) => ensureMailKeys(tx, keys));
  let count = 0;
  const closed: string[] = [];
  for (const table of keyTables) {
    for await (const done of rotateTable({ database, keys }, table, limit)) {
      count += done.count;
      closed.push(...done.closed.map((owner) => `${table.table} ${owner}`));
    }
  }
  const used = await database.work(system, async (tx) => {
    if (count > 0)
      await insertAudit(tx, {
        actor: { type: 'system' },
        action: 'keys.rotated',
        details: { keyId: keys.current.id, count },
      });
    return countUsedKeys(tx, keyTables);
  });
  const old = used.filter(({ keyId }) => keyId !== keys.current.id);
  if (old.length > 0) throw new Error(describeClosed(keys, old, closed));
  return describeRotated(keys, count);
}

/** One table, a transaction at a time. */
async function* rotateTable({ database, keys }: Needs, table: KeyTable, limit: number): AsyncGenerator<Rewrapped> {
  let last: string | undefined = beforeAll;
  while (last !== undefined) {
    const next = { after: last, limit };
    const done: Rewrapped = await database.work(system, (tx) => rewrapKeys(tx, keys, table, next));
    yield done;
    last = done.last;
  }
}

function describeClosed({ all }: KeyRing, old: readonly UsedKey[], closed: readonly string[]): string {
  const away = [...new Set(old.map(({ keyId }) => keyId))].filter((id) => !all.has(id));
  const left = old.reduce((sum, { count }) => sum + count, 0);
  const advice =
    away.length > 0
      ? `Add master key ${away.join(', ')} to PF_KEYS or keys.json, then run this again.`
      : `${closed.length > 0 ? `These could not be opened: ${closed.slice(0, 5).join(', ')}. ` : ''}Run this again after every process has been restarted with the newest master key first.`;
  return `${describeKeys(left)} still wrapped by an older master key (${describeUsed(old)}). ${advice} Keep every master key until then.`;
}

const describeKeys = (count: number) => (count === 1 ? '1 key is' : `${count} keys are`);

const describeUsed = (used: readonly UsedKey[]) =>
  used.map(({ keyId, table, count }) => `${keyId}: ${count} in ${table}`).join(', ');

function describeRotated({ current, all }: KeyRing, count: number): string {
  const others = [...all.keys()].filter((id) => id !== current.id);
  const done =
    count === 0
      ? `Master key ${current.id} already wraps everything.`
      : `${describeKeys(count)} now wrapped by master key ${current.id}, and nothing needs another one.`;
  if (others.length === 0) return count === 0 ? `${done} To replace it, run \`npm run pf -- new-key\` first.` : done;
  return (
    `${done}\nRemove ${others.join(', ')} from PF_KEYS or keys.json, restart every process, and make a new backup. ` +
    'Backups made before this one can be opened only with the old key: keep it with them, or delete them.'
  );
}

/** Master keys that some row needs and the ring lacks. */
export async function findMissingKeys({ database, keys }: Needs): Promise<string[]> {
  const used = await database.work(system, (tx) => countUsedKeys(tx, keyTables));
  return [...new Set(used.map(({ keyId }) => keyId))].filter((id) => !keys.all.has(id)).sort();
}

/** The key itself is shown only to those who keep their keys in the environment. */
export function describeNewKey(key: string, pfKeys: string | undefined): string {
  const next = 'restart every process, then run `npm run pf -- rotate-keys`.';
  if (pfKeys !== undefined)
    return `${key}\nPut this key in front of the others in PF_KEYS, with a comma after it, ${next}`;
  const [id] = key.split(':');
  return `Master key ${id} is now the first in keys.json. Save a copy of that file apart from the backups, ${next}`;
}
