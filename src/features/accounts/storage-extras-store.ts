import { statement, type Tx } from '#engines/database/work.ts';

export interface StorageExtra {
  id: string;
  bytes: number;
  endsAt: Date;
}

const made = statement(
  'storage_extra_made',
  'insert into storage_extras (id, user_id, bytes, created_at, ends_at) values ($1, $2, $3, $4, $5)',
);
const running = statement<StorageExtra>(
  'storage_extras_running',
  `select id, bytes, ends_at as "endsAt" from storage_extras where user_id = $1 and created_at <= $2 and ends_at > $2 order by ends_at, id limit 200`,
);
const one = statement<StorageExtra>(
  'storage_extra_one',
  `select id, bytes, ends_at as "endsAt" from storage_extras where id = $1`,
);

/** Gives somebody more room, for a time. */
export async function insertStorageExtra(
  tx: Tx,
  extra: StorageExtra & { userId: string; createdAt: Date },
): Promise<void> {
  const { id, userId, bytes, createdAt, endsAt } = extra;
  await tx.query(made, [id, userId, bytes, createdAt, endsAt]);
}

/** Returns what somebody has beyond the plan just now. */
export const listStorageExtras = (tx: Tx, userId: string, now: Date): Promise<StorageExtra[]> =>
  tx.query(running, [userId, now]);
export const findStorageExtra = async (tx: Tx, id: string): Promise<StorageExtra | undefined> =>
  (await tx.query(one, [id]))[0];
