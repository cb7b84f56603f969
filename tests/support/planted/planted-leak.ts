import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Loaded into a server (`NODE_OPTIONS=--import=…`), it makes it lose memory, descriptors and files: a soak must notice each. */
const kept: Buffer[] = [];

function leak(): void {
  kept.push(Buffer.alloc(600_000, kept.length));
  openSync('/dev/null', 'r');
  const staging = path.join(process.env.DATA_DIR ?? '', 'staging');
  mkdirSync(staging, { recursive: true });
  writeFileSync(path.join(staging, `leak-${kept.length}`), '');
}

if (process.argv[1]?.endsWith('main.ts')) setInterval(leak, 500).unref();
