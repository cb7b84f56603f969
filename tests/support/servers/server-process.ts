import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { serverStart } from './server-start.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** The real server as `npm start` runs it, in a process of its own. */
export interface ServerProcess {
  url: string;
  dataDir: string;
  pid: number;
  /** Resolves when it answers. @throws with its words when it ends instead */
  untilUp(): Promise<void>;
  /** Resolves when it says where it is, as a worker does, which answers nobody. @throws with its words when it ends instead */
  untilGreeting(): Promise<void>;
  /** Ends it, by SIGKILL as a power cut would; resolves when it is gone. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Asks it to end as a service manager does, which kills what does not. @returns whether it ended by itself */
  stop(): Promise<boolean>;
}

/** A data folder that PostgreSQL's own account can enter when the tests are root. */
export function makeDataDir(prefix: string, place = tmpdir()): string {
  const dataDir = mkdtempSync(path.join(place, prefix));
  chmodSync(dataDir, 0o755);
  return dataDir;
}

/** A port that nobody listens on. */
export async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done));
  const address = probe.address();
  await new Promise((done) => probe.close(done));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Starts the server; nothing of our own environment reaches it but where programs are. */
export function spawnServer(settings: {
  port: number;
  dataDir: string;
  environment?: Record<string, string>;
}): ServerProcess {
  const { port, dataDir, environment = {} } = settings;
  const child = spawn(process.execPath, [...serverStart.flags, serverStart.entry], {
    cwd: root,
    env: {
      ...serverStart.environment,
      PATH: process.env.PATH,
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (words: Buffer) => {
    said += words.toString();
  });
  const url = `http://localhost:${port}`;
  return {
    url,
    dataDir,
    pid: child.pid ?? 0,
    async untilUp() {
      for (let tries = 0; tries < 1200; tries++) {
        if (hasEnded(child)) throw new Error(`The server ended: ${said}`);
        const isUp = await fetch(`${url}/api/health`).then(
          ({ ok }) => ok,
          () => false,
        );
        if (isUp) return;
        await wait(50);
      }
      throw new Error(`The server did not answer within a minute: ${said}`);
    },
    async untilGreeting() {
      for (let tries = 0; tries < 1200; tries++) {
        if (said.includes('PrivateFans is at')) return;
        if (hasEnded(child)) throw new Error(`The server ended: ${said}`);
        await wait(50);
      }
      throw new Error(`The server did not greet within a minute: ${said}`);
    },
    async end(signal) {
      if (hasEnded(child)) return;
      const gone = new Promise((done) => child.once('exit', done));
      child.kill(signal);
      await gone;
    },
    stop: () => stopChild(child),
  };
}

/** Far above what a stop may take, for a busy machine. */
const mostStopMs = 60_000;

async function stopChild(child: ChildProcess): Promise<boolean> {
  if (hasEnded(child)) throw new Error('The server ended before it was asked to.');
  const gone = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  const killing = setTimeout(() => child.kill('SIGKILL'), mostStopMs);
  await gone;
  clearTimeout(killing);
  return child.exitCode === 0;
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

/** Command lines of PostgreSQL's servers and their watchdogs that work in a folder. */
export const listDatabasesIn = (folder: string): string[] =>
  execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(`-D ${folder}`));
