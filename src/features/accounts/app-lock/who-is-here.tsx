import type { Me } from '../contract.ts';
import { writeOwed } from './owed.ts';

/** That somebody has been signed in here, until what the browser kept of that is gone. */
const used = 'pf.used';

/** Hears every answer about who is here. */
export function noteWhoIsHere({ user, isLocked }: Pick<Me, 'user' | 'isLocked'>): void {
  // A locked session needs no word any more, and the next one is not closed for what this one owed.
  if (user === null) writeOwed(undefined);
  else noteUse();
  if (user === null && !isLocked) void forgetUse();
}

function noteUse(): void {
  try {
    localStorage.setItem(used, '1');
  } catch {
    // Storage is denied: then nothing is kept, either.
  }
}

/** A session can also end elsewhere, or by time: the next answer says so. */
async function forgetUse(): Promise<void> {
  try {
    // Whoever has just shared files with the app signs in and goes on with them.
    if (localStorage.getItem(used) === null || /shared(=|%3D)/i.test(location.search)) return;
    await emptyCaches();
    localStorage.removeItem(used);
  } catch {
    // Storage is denied.
  }
}

/** What the service worker has kept of the studio, and files that were shared with it, go with the person. */
export async function emptyCaches(): Promise<void> {
  // Not over plain http, and not where storage is denied.
  if (!('caches' in globalThis)) return;
  const names = await caches.keys().catch(() => []);
  await Promise.all(names.map((name) => caches.delete(name).catch(() => false)));
}
