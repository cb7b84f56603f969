import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** `npm run prove -- <name> …`: the long form of the drills whose short form runs inside `npm test`; `--full` for the largest counts. */
const folder = import.meta.dirname;
const names = readdirSync(folder).flatMap((file) => (file.endsWith('.test.ts') ? [file.replace('.test.ts', '')] : []));
const isLargest = process.argv.includes('--full');
const wanted = process.argv.slice(2).filter((word) => word !== '--full');
const unknown = wanted.filter((name) => !existsSync(path.join(folder, `${name}.test.ts`)));
if (wanted.length === 0 || unknown.length > 0) {
  console.log(`npm run prove -- [--full] <name> …\n  ${names.join('\n  ')}`);
  process.exit(wanted.length === 0 ? 0 : 1);
}
const files = wanted.map((name) => `tests/proofs/${name}.test.ts`);
const { status } = spawnSync('vitest', ['run', '--testTimeout=3600000', ...files], {
  stdio: 'inherit',
  env: { ...process.env, PF_PROOF: isLargest ? 'largest' : 'full' },
});
process.exit(status ?? 1);
