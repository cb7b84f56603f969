import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginDraft, checkFiles, readManifest } from './archive.ts';

let folder: string;
let target: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pf-archive-'));
  target = path.join(folder, 'backup');
});
afterEach(() => rmSync(folder, { recursive: true }));

const about = {
  database: 'none',
  at: '2026-11-21T12:00:00.000Z',
  postgres: '18',
  migrations: [],
  keys: {},
  folders: [],
} as const;
const seal = async (draft: Awaited<ReturnType<typeof beginDraft>>) =>
  draft.seal({ ...about, migrations: [], folders: [] });

describe('a backup', () => {
  it('has its name only when it is whole', async () => {
    const draft = await beginDraft(target);
    await draft.keep('files/a', Buffer.from('one'));
    await draft.keep('files/b', Readable.from([Buffer.from('t'), Buffer.from('wo')]));
    expect(existsSync(target)).toBe(false);
    await seal(draft);
    expect(readdirSync(folder)).toEqual(['backup']);
    const manifest = await readManifest(target);
    expect(manifest.files.map(({ name, sizeBytes }) => [name, sizeBytes])).toEqual([
      ['files/a', 3],
      ['files/b', 3],
    ]);
    await checkFiles(target, manifest);
  });

  it('shares a file that never changes, and outlives its other name', async () => {
    const source = path.join(folder, 'stored');
    writeFileSync(source, 'a photo');
    const draft = await beginDraft(target);
    await draft.share('files/photo', source);
    await seal(draft);
    rmSync(source);
    expect(readFileSync(path.join(target, 'files/photo'), 'utf8')).toBe('a photo');
  });

  it('leaves nothing when it is dropped, and nothing of a file that broke off', async () => {
    const draft = await beginDraft(target);
    const broken = Readable.from(
      (function* () {
        yield Buffer.from('half');
        throw new Error('cut');
      })(),
    );
    await expect(draft.keep('files/a', broken)).rejects.toThrow('cut');
    expect(draft.has('files/a')).toBe(false);
    await draft.drop();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('never goes into a folder that holds something, and sweeps what a killed one left', async () => {
    mkdirSync(`${target}.unfinished.999999999`);
    mkdirSync(`${target}-other.unfinished.999999999`);
    await (await beginDraft(target)).drop();
    expect(readdirSync(folder)).toEqual(['backup-other.unfinished.999999999']);
    mkdirSync(path.join(target, 'mine'), { recursive: true });
    await expect(beginDraft(target)).rejects.toThrow('is not empty');
  });

  it('takes and gives no name that leads out of it', async () => {
    const draft = await beginDraft(target);
    for (const name of ['../a', 'files/../../a', '/etc/passwd', 'files//a'])
      await expect(draft.keep(name, Buffer.from(''))).rejects.toThrow('points outside the backup');
    await draft.seal({ ...about, migrations: ['../../a.sql'], folders: [] });
    await expect(readManifest(target)).rejects.toThrow('points outside the backup');
  });

  it('names the files that are missing or changed', async () => {
    const draft = await beginDraft(target);
    for (const name of ['a', 'b', 'c']) await draft.keep(`files/${name}`, Buffer.from(name));
    const manifest = await seal(draft);
    rmSync(path.join(target, 'files/a'));
    writeFileSync(path.join(target, 'files/c'), 'C');
    await expect(checkFiles(target, manifest)).rejects.toThrow(
      'files/a is missing, files/c was changed. Use another one.',
    );
    writeFileSync(path.join(target, 'manifest.json'), '{}');
    await expect(readManifest(target)).rejects.toThrow('manifest.json was changed');
  });
});
