import type { Engines } from '#engines/engines.ts';
import { receiptCode } from '#features/orders/receipts.ts';
import { readOwnRows } from './own-files-store.ts';
import type { KnownPerson } from './person-store.ts';

/** Writes everything that is kept of somebody without an account as one JSON text. */
export async function writeOwnFile(engines: Engines, person: KnownPerson, now: Date): Promise<string> {
  const { database, installation } = engines;
  const rows = await database.work({ kind: 'system' }, (tx) => readOwnRows(tx, person));
  const payments = (rows.payments ?? []).map((row) => {
    const { orderId, receipt } = row as { orderId: string; receipt: number | null };
    if (receipt === null) return row;
    return { ...(row as object), receiptAt: `${installation.publicUrl}/receipt/${receiptCode(engines, orderId)}` };
  });
  const about = {
    about: 'Everything that PrivateFans keeps about you, at most the newest 1,000 of each kind.',
    at: now.toISOString(),
    address: person.email,
  };
  return `${JSON.stringify({ ...about, ...rows, payments }, null, 2)}\n`;
}

/** Returns what such a file is called. */
export const nameOwnFile = (now: Date): string => `privatefans-my-data-${now.toISOString().slice(0, 10)}.json`;
