import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { listTestKinds } from '../support/runner/test-kinds.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** A test of a decision: it imports one of the files that are changed here, and neither an app nor a database. */
const readsRules = (file: string) =>
  /from '[^']*(?:rules|judge|posting)\.ts'/.test(readFileSync(path.join(root, file), 'utf8'));

export default defineConfig({
  root,
  test: {
    pool: 'forks',
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    include: listTestKinds(root).plain.filter((file) => file.startsWith('src/') && readsRules(file)),
    setupFiles: ['tests/support/runner/setup.ts', 'tests/mutate/fewer-runs.ts'],
  },
});
