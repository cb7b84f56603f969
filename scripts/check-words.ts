/** `npm run words`: refuses names that a programmer of this field would not search for, in what git tracks or would add. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { findPrivateWords } from './private-words.ts';

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', 'src', 'bench'], {
  encoding: 'utf8',
  maxBuffer: 64_000_000,
});
const files = [...new Set(listed.split('\0'))].filter((file) => /\.tsx?$/.test(file) && existsSync(file));
const found = files.flatMap((file) => findPrivateWords(file, readFileSync(file, 'utf8')));
if (found.length > 0) {
  console.error(found.join('\n'));
  process.exitCode = 1;
}
