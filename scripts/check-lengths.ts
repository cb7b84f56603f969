/** `npm run lengths`: refuses files and functions that are too long, in whatever git tracks or would add. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { findLongCode, mostLines } from './long-code.ts';

/** It has a row for every column that there is. */
const generated = 'src/engines/database/tables.ts';

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
  maxBuffer: 64_000_000,
});
const files = [...new Set(listed.split('\0'))].filter((file) => /\.([cm]?[jt]s|[jt]sx)$/.test(file));
const long = files
  .filter((file) => file !== generated && existsSync(file))
  .flatMap((file) => findLongCode(file, readFileSync(file, 'utf8')));
if (long.length > 0) {
  console.error(long.join('\n'));
  console.error(
    `A file has ${mostLines.file} lines at most, a function ${mostLines.function}: ${long.length} too long.`,
  );
  process.exitCode = 1;
}
