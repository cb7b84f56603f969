import type { Engines } from '#engines/engines.ts';
import { avatarFolder, avatarPath } from '../stored-avatar.ts';
import { listAvatarNames } from './avatar-store.ts';

/** The job that removes stored pictures which nobody names, an hour after they were found so. */
export const forgetLostQueue = 'accounts.forgetLostAvatars';
const restSeconds = 3600;
const mostAtOnce = 1000;

type Own = Pick<Engines, 'database' | 'storage' | 'jobs'>;

/** Background work of pictures that a crash has left between their file and their row. */
export function declareAvatarSweep(engines: Own): void {
  engines.jobs.handle<{ paths: string[] }>(forgetLostQueue, ({ paths }) => forgetLostAvatars(engines, paths));
}

/** Looks for pictures that nobody names; one that was stored a moment ago is named before its hour is over. */
export async function sweepAvatars(engines: Own): Promise<void> {
  const named = await namedPaths(engines);
  const paths: string[] = [];
  for await (const path of engines.storage.list(avatarFolder)) {
    if (named.has(path)) continue;
    paths.push(path);
    if (paths.length === mostAtOnce) break;
  }
  if (paths.length === 0) return;
  await engines.database.work({ kind: 'system' }, (tx) =>
    engines.jobs.send(tx, forgetLostQueue, { paths }, { startAfterSeconds: restSeconds }),
  );
}

async function forgetLostAvatars(engines: Own, paths: readonly string[]): Promise<void> {
  const named = await namedPaths(engines);
  for (const path of paths) if (!named.has(path)) await engines.storage.remove(path);
}

const namedPaths = async ({ database }: Own): Promise<Set<string>> =>
  new Set((await database.work({ kind: 'system' }, listAvatarNames)).map(avatarPath));
