import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { answerOf, openPlantedApp, plantedOptions, plantedTask } from '#tests/support/planted/planted-pool.ts';
import { cpuSeconds, residentBytes } from './process-tree.ts';
import type { PoolOptions } from './task.ts';
import { openWalls } from './walls.ts';
import { makeWorkFolder, sweepWorkFolders } from './work-folder.ts';

const { site, openPool, workFolders } = openPlantedApp();
const walls = await openWalls(site);
const open = (changes: Partial<PoolOptions> = {}) => openPool(walls, changes);

describe('what a captured child leaves behind', () => {
  it('cannot lead us elsewhere by a link in its output', async () => {
    expect((await answerOf(open(), { act: 'link' })).files.size).toBe(0);
  });

  it('cannot make us read more than was agreed', async () => {
    const outcome = await open().run({ ...plantedTask({ act: 'copy' }), outputBytes: 3 });
    expect(outcome).toMatchObject({ ended: 'answered', files: new Map() });
  });

  it('is ended when it puts a folder where a file belongs', async () => {
    const pool = open();
    await answerOf(pool, { act: 'copy' });
    expect(workFolders().length).toBe(1);
    await answerOf(pool, { act: 'folder' });
    expect(workFolders().length).toBe(0);
  });
});

describe('the pool', () => {
  it('ends a child that uses up its processor time, whatever it used for earlier tasks', async (test) => {
    if (cpuSeconds(process.pid) === undefined) return test.skip('this system does not tell what a process has used');
    const pool = open({ taskSeconds: 1 });
    for (let n = 0; n < 3; n++)
      expect(await pool.run(plantedTask({ act: 'work' }))).toMatchObject({ ended: 'answered', answer: 'done' });
    expect(await pool.run(plantedTask({ act: 'spin' }))).toMatchObject({ ended: 'overtime' });
    expect(workFolders()).toEqual([]);
  });

  it('lets a child wait for a processor longer than it may use one', async () => {
    const pool = open({ taskSeconds: 2 });
    expect(await pool.run(plantedTask({ act: 'rest' }))).toMatchObject({ ended: 'answered' });
  });

  it('ends a child that hangs', async () => {
    const pool = open();
    await answerOf(pool, { act: 'copy' });
    expect(await pool.run({ ...plantedTask({ act: 'sleep' }), taskSeconds: 0.2 })).toMatchObject({ ended: 'overtime' });
    expect(workFolders()).toEqual([]);
  });

  it('ends a child that takes too much memory', async (test) => {
    if (residentBytes(process.pid) === undefined) return test.skip('this system does not tell what a process holds');
    expect(await open({ peakBytes: 250e6 }).run(plantedTask({ act: 'eat' }))).toMatchObject({ ended: 'overweight' });
  });

  it('has a new child do what was too much only for one that still held memory of its last task', async (test) => {
    if (residentBytes(process.pid) === undefined) return test.skip('this system does not tell what a process holds');
    const pool = open({ peakBytes: 350e6 });
    expect((await answerOf(pool, { act: 'fill' })).answer).toBe(1);
    expect((await answerOf(pool, { act: 'fill' })).answer).toBe(1);
    expect(workFolders().length).toBe(1);
  });

  it('lets children stand back with all their threads', async (test) => {
    if (!existsSync('/proc/self/task')) return test.skip('this system does not tell of threads');
    const { answer } = await answerOf(open({ niceness: 3 }), { act: 'nice' });
    const { threads } = answer as { threads: number[] };
    expect(new Set(threads)).toEqual(new Set([getPriority() + 3]));
    expect(threads.length).toBeGreaterThan(5);
  });

  it('lets their sessions stand back where the processor is shared among sessions first', async (test) => {
    if (!existsSync('/proc/self/autogroup')) return test.skip('this system does not tell of sessions');
    const pool = open({ niceness: 3 });
    const both = await Promise.all([answerOf(pool, { act: 'nice' }), answerOf(pool, { act: 'nice' })]);
    for (const { answer } of both) expect((answer as { session: string }).session).toMatch(/ nice 3\n$/);
  });

  it('says so when a child dies, and starts another', async () => {
    const pool = open();
    expect(await pool.run(plantedTask({ act: 'die' }))).toMatchObject({ ended: 'died' });
    expect((await answerOf(pool, { act: 'copy' })).files.size).toBe(1);
  });

  it('rejects when the child meets an error of ours, and does not use it again', async () => {
    const pool = open();
    await expect(pool.run(plantedTask({ act: 'throw' }))).rejects.toThrow('a slip of ours');
    expect(workFolders()).toEqual([]);
  });

  it('keeps a child for further tasks and replaces it after the agreed number', async () => {
    const pool = open({ tasksPerChild: 2 });
    const folders: string[][] = [];
    for (let i = 0; i < 4; i++) {
      await answerOf(pool, { act: 'copy' });
      folders.push(workFolders());
    }
    expect(folders.map((list) => list.length)).toEqual([1, 0, 1, 0]);
    expect(folders[2]).not.toEqual(folders[0]);
  });

  it('replaces a child that holds too much after its task', async (test) => {
    if (residentBytes(process.pid) === undefined) return test.skip('this system does not tell what a process holds');
    await answerOf(open({ restBytes: 1e6 }), { act: 'copy' });
    expect(workFolders()).toEqual([]);
  });

  it('lets an idle child go', async () => {
    await answerOf(open({ idleSeconds: 0.1 }), { act: 'copy' });
    expect(workFolders().length).toBe(1);
    await expect.poll(workFolders).toEqual([]);
  });

  it('runs no more children at once than agreed, and everybody is served', async () => {
    const pool = open({ children: 2 });
    let most = 0;
    const jobs = Array.from({ length: 7 }, async () => {
      await answerOf(pool, { act: 'copy' });
      most = Math.max(most, workFolders().length);
    });
    await Promise.all(jobs);
    expect(most).toBe(2);
  });

  it('leaves nothing of a task behind', async () => {
    const pool = open();
    await answerOf(pool, { act: 'copy' });
    const [folder = ''] = workFolders();
    expect(readdirSync(join(site.tempFolder, folder), { recursive: true }).sort()).toEqual(['inputs', 'outputs']);
  });

  it('rejects with the reason of the signal and ends the child', async () => {
    const pool = open();
    const stop = new AbortController();
    const running = pool.run(plantedTask({ act: 'sleep' }, stop.signal));
    setTimeout(() => stop.abort(new Error('nobody wants it')), 300);
    await expect(running).rejects.toThrow('nobody wants it');
    expect(workFolders()).toEqual([]);
  });

  it('rejects when the input breaks, and keeps the child', async () => {
    const pool = open();
    const broken = () =>
      new Readable({
        read() {
          this.destroy(new Error('storage is gone'));
        },
      });
    await expect(pool.run({ ...plantedTask({ act: 'copy' }), openInput: broken })).rejects.toThrow('storage is gone');
    expect(workFolders().length).toBe(1);
  });

  it('rejects those who wait when it closes', async () => {
    const pool = open();
    const first = pool.run(plantedTask({ act: 'sleep' }));
    const second = pool.run(plantedTask({ act: 'copy' }));
    const outcomes = Promise.allSettled([first, second]);
    setTimeout(() => void pool.close(), 300);
    expect(await outcomes).toMatchObject([{ value: { ended: 'died' } }, { reason: { message: 'the pool is closed' } }]);
    expect(workFolders()).toEqual([]);
  });
});

describe('when we ourselves are killed', () => {
  // A wall takes even a child along that is deep in a decoder; without one, it goes as soon as it listens again.
  const plights = [
    ['behind the strongest wall, busy', walls.wall.name === 'bwrap' ? 'spin' : 'sleep', walls.wall.name],
    ['without a wall, waiting', 'sleep', 'none'],
  ] as const;

  it.each(plights)('no child stays (%s), and the next start removes what was left', async (_, act, name) => {
    const candidates = `wallsHere().filter((wall) => wall.name === '${name}')`;
    const program = `
      const { openWalls, wallsHere } = await import(${JSON.stringify(fileURLToPath(new URL('./walls.ts', import.meta.url)))});
      const walls = await openWalls(${JSON.stringify(site)}, ${candidates});
      const child = walls.start(${JSON.stringify(plantedOptions)});
      child.ask({ job: { act: 'about' }, input: '', output: '' }).then(() => {
        child.ask({ job: { act: '${act}' }, input: '', output: '' });
        setTimeout(() => console.log(child.folder.path), 100);
      });`;
    const victim = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const folder = await new Promise<string>((resolve) =>
      victim.stdout.once('data', (text) => resolve(String(text).trim())),
    );
    const running = () => processes().filter((id) => folderOf(id).startsWith(folder)).length;
    if (process.platform === 'linux') expect(running()).toBeGreaterThan(0);
    victim.kill('SIGKILL');
    await new Promise((resolve) => victim.once('close', resolve));
    if (process.platform === 'linux') await expect.poll(running).toBe(0);
    expect(existsSync(folder)).toBe(true);
    sweepWorkFolders(site.tempFolder);
    expect(existsSync(folder)).toBe(false);
  });

  it('the folder of an earlier process with our number is removed, as a container gives it again', () => {
    const { path } = makeWorkFolder(site.tempFolder, undefined);
    const earlier = path.replace(/-\d+-([^-]*)$/, '-1700000000000-$1');
    renameSync(path, earlier);
    sweepWorkFolders(site.tempFolder);
    expect(existsSync(earlier)).toBe(false);
  });

  it('the folder of a process that still runs is left alone', () => {
    const { path } = makeWorkFolder(site.tempFolder, undefined);
    sweepWorkFolders(site.tempFolder);
    expect(existsSync(path)).toBe(true);
    rmSync(path, { recursive: true });
  });
});

function processes(): string[] {
  return existsSync('/proc') ? readdirSync('/proc').filter((id) => /^\d+$/.test(id)) : [];
}

/** The folder that a process works in; empty when it ended meanwhile. */
function folderOf(id: string): string {
  try {
    return readlinkSync(`/proc/${id}/cwd`);
  } catch {
    return '';
  }
}
