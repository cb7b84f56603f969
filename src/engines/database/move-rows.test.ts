import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { linesOf } from './move-rows.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pf-move-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function readAll(file: string): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const line of linesOf(file)) rows.push(JSON.parse(line));
  return rows;
}

test('a row is one line of an export, whatever line ends are in its texts', async () => {
  const rows = [['a\u2028b\u2029c\u0085d\r\ne\vf'], [null, 'ü'.repeat(100_000)], []];
  const file = path.join(folder, 'rows.jsonl.gz');
  writeFileSync(file, gzipSync(rows.map((row) => `${JSON.stringify(row)}\n`).join('')));
  expect(await readAll(file)).toEqual(rows);
});

test('half an export is no export', async () => {
  const file = path.join(folder, 'rows.jsonl.gz');
  const whole = gzipSync(`${JSON.stringify(['a'])}\n`);
  writeFileSync(file, whole.subarray(0, whole.length - 9));
  await expect(readAll(file)).rejects.toThrow('unexpected end of file');
});
