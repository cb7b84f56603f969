import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

test('every text file over 1 KiB stands there in brotli and gzip too; pictures and small files do not', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-precompress-'));
  const text = 'const tile = 1;\n'.repeat(500);
  mkdirSync(path.join(folder, 'assets'));
  writeFileSync(path.join(folder, 'assets/app.js'), text);
  writeFileSync(path.join(folder, 'small.css'), 'a{}');
  writeFileSync(path.join(folder, 'photo.webp'), text);
  execFileSync(process.execPath, ['scripts/precompress.mjs', folder]);
  const files = readdirSync(folder, { recursive: true }).map(String).sort();
  expect(files).toEqual(['assets', 'assets/app.js', 'assets/app.js.br', 'assets/app.js.gz', 'photo.webp', 'small.css']);
  expect(brotliDecompressSync(readFileSync(path.join(folder, 'assets/app.js.br'))).toString()).toBe(text);
  expect(gunzipSync(readFileSync(path.join(folder, 'assets/app.js.gz'))).toString()).toBe(text);
  rmSync(folder, { recursive: true });
});
