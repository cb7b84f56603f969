import type { Engines } from '#engines/engines.ts';
import { refundOnDeleteMs } from '#features/albums/rules.ts';
import { refundOnLeavingMs, refundOnRevokeMs } from '#features/orders/rules.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { hourMs } from '#kit/time.ts';
import type { listOwed } from './owed-store.ts';

/** Returns how long after paying each kind of end gives the money back, and how long an end can be undone; as the settings say now. */
export async function findOwedTimes(
  engines: Pick<Engines, 'database' | 'clock'>,
): Promise<Parameters<typeof listOwed>[3]> {
  const { 'links.undoHours': undoHours } = await settingsOf(engines);
  return {
    withinMs: refundOnRevokeMs,
    leavingMs: refundOnLeavingMs,
    deletingMs: refundOnDeleteMs,
    undoMs: undoHours * hourMs,
  };
}
