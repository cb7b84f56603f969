import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const fileIn = (dataDir: string) => path.join(dataDir, 'told.json');

/** Loaded into a server (`--import=…`), what calls this lets the server write something down whenever it is asked by SIGUSR2. */
export function notifyWhenAsked(tell: () => object): void {
  const file = fileIn(process.env.DATA_DIR ?? '');
  process.on('SIGUSR2', () => {
    writeFileSync(`${file}.new`, JSON.stringify(tell()));
    renameSync(`${file}.new`, file);
  });
}

/** Whether this process is the server, and none of its children. */
export const isServer = process.argv[1]?.endsWith('main.ts') ?? false;

/** Asks a server with such a teller. @throws when it says nothing for a minute */
export async function askTeller<Told>({ pid, dataDir }: { pid: number; dataDir: string }): Promise<Told> {
  const file = fileIn(dataDir);
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (let tries = 0; tries < 1200; tries++) {
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Told;
    await wait(50);
  }
  throw new Error('The server did not tell.');
}
