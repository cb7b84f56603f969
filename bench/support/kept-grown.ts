import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { say } from './options.ts';
import { makeDataFolder } from './product.ts';

/** What is kept beside an installation: how large it is, and whatever is known of it. */
interface Kept<T> {
  events: number;
  facts: T;
}

const copyFolder = (from: string, to: string): void => void execFileSync('cp', ['-a', `${from}/.`, to]);

/** Copies an installation that was kept, with what is known of it; undefined when there is none of that size. */
export function takeKept<T>(folder: string | undefined, events: number): { dataDir: string; facts: T } | undefined {
  if (folder === undefined || !existsSync(path.join(folder, 'kept.json'))) return undefined;
  const kept = JSON.parse(readFileSync(path.join(folder, 'kept.json'), 'utf8')) as Kept<T>;
  if (kept.events !== events) throw new Error(`${folder} has an installation of ${kept.events} events.`);
  const dataDir = makeDataFolder();
  copyFolder(path.join(folder, 'data'), dataDir);
  say(`taken from ${folder}`);
  return { dataDir, facts: kept.facts };
}

/** Keeps an installation that does not run. */
export function keepGrown<T>(folder: string, dataDir: string, kept: Kept<T>): void {
  const data = path.join(folder, 'data');
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { recursive: true });
  copyFolder(dataDir, data);
  writeFileSync(path.join(folder, 'kept.json'), JSON.stringify(kept));
  say(`kept in ${folder}`);
}
