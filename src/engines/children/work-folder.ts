import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Where one child meets us. We write `inputs` and it reads them; it writes `outputs`, and nothing it puts there can lead us
 * elsewhere, because neither folder can be replaced by it.
 */
export interface WorkFolder {
  path: string;
  inputs: string;
  outputs: string;
}

const prefix = 'privatefans-child-';
/** When this process began: a container's next one has the same number, and none of its folders. */
const life = Math.floor(performance.timeOrigin);

/**
 * A private folder for one child, named after our process so that the next start can tell what was left behind.
 * @param userId the child's own user and group
 */
export function makeWorkFolder(tempFolder: string, userId: number | undefined): WorkFolder {
  const path = mkdtempSync(join(tempFolder, `${prefix}${process.pid}-${life}-`));
  const [inputs, outputs] = [join(path, 'inputs'), join(path, 'outputs')];
  for (const folder of [inputs, outputs]) mkdirSync(folder, { mode: 0o700 });
  if (userId !== undefined) {
    for (const folder of [path, inputs]) lend(folder, userId);
    // Ours by group: a wall steps into it before it becomes the child's user, without root's power to enter anywhere.
    chownSync(outputs, userId, process.getgid?.() ?? 0);
    chmodSync(outputs, 0o770);
  }
  return { path, inputs, outputs };
}

/** Lets the child's user read what stays ours: by its group, so that nobody else can. */
export function lend(path: string, userId: number): void {
  chownSync(path, process.getuid?.() ?? 0, userId);
  chmodSync(path, 0o750);
}

/**
 * Removes the folders of processes that were killed before they could: pictures in the clear lie in them. What cannot be
 * removed, as another user's, stays: tidying up never keeps anybody from starting.
 */
export function sweepWorkFolders(tempFolder: string): void {
  for (const name of tryTo(() => readdirSync(tempFolder)) ?? []) {
    if (!name.startsWith(prefix)) continue;
    const [owner, began] = name.slice(prefix.length).split('-').map(Number);
    const isInUse = owner === process.pid ? began === life : isRunning(Number(owner));
    if (!isInUse) tryTo(() => rmSync(join(tempFolder, name), { recursive: true, force: true }));
  }
}

function tryTo<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    // EPERM: it runs, as somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
