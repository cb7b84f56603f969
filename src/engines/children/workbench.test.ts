import { closeSync, existsSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { openPlantedApp } from '#tests/support/planted/planted-pool.ts';
import { cpuSeconds } from './process-tree.ts';
import type { ProgramOrder } from './program.ts';
import { hangSecondsOf } from './time-limit.ts';
import { openWalls } from './walls.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

const { home, site, workFolders } = openPlantedApp();
const walls = await openWalls(site);
const limits = { dataBytes: 1e9, fileBytes: 1e6, cpuSeconds: 20 };

describe.runIf(process.platform !== 'win32')('a workbench', () => {
  const on = async (
    script: string,
    use: (bench: Workbench, run: (more?: Partial<ProgramOrder>) => ReturnType<Workbench['run']>) => Promise<void>,
  ) => {
    const bench = await openWorkbench(walls, Readable.from([Buffer.from('a video')]));
    try {
      await use(bench, (more) => bench.run({ command: ['sh', '-c', script], limits, seconds: 10, ...more }));
    } finally {
      await bench.close();
    }
    expect(workFolders()).toEqual([]);
  };

  it('lends its file to programs, one after another, and keeps what they made until it is closed', () =>
    on('cat ../inputs/original; echo made >> out', async (bench, run) => {
      for (const made of ['made\n', 'made\nmade\n']) {
        expect(await run()).toMatchObject({ ended: 'well', output: 'a video' });
        expect(bench.read('out', 100)?.toString()).toBe(made);
      }
      await bench.discard('out');
      expect(bench.read('out', 100)).toBeUndefined();
    }));

  it('reads no link, no pipe and no giant that a captured program left', () =>
    on('ln -s /etc/passwd link; mkfifo pipe; head -c 5000 /dev/zero > giant; mkdir folder', async (bench, run) => {
      expect((await run()).ended).toBe('well');
      for (const name of ['link', 'pipe', 'giant', 'folder', 'nothing']) expect(bench.read(name, 100)).toBeUndefined();
      const file = bench.open('giant', 5000);
      expect(file?.sizeBytes).toBe(5000);
      if (file) closeSync(file.descriptor);
    }));

  it('is not made for what nobody wants any more, and says why', async () => {
    const stop = new AbortController();
    const endless = Readable.from(
      (async function* () {
        for (let n = 0; ; n++) {
          if (n === 3) stop.abort(new Error('it was deleted'));
          yield Buffer.alloc(1000);
        }
      })(),
    );
    await expect(openWorkbench(walls, endless, stop.signal)).rejects.toThrow('it was deleted');
    expect(workFolders()).toEqual([]);
  });

  it('is told what broke its feed: that is no fault of the file', () =>
    on('cat <&3; sleep 5', async (_, run) => {
      async function* feed() {
        yield Buffer.from('12345');
        throw new Error('the noise ran out');
      }
      await expect(run({ feed: feed() })).rejects.toThrow('the noise ran out');
    }));

  it('feeds a program as fast as it reads, and no further than it wants', () =>
    on('head -c 10 <&3', async (_, run) => {
      let asked = 0;
      async function* feed() {
        for (; ; asked++) yield Buffer.from('12345');
      }
      expect(await run({ feed: feed() })).toMatchObject({ ended: 'well', output: '1234512345' });
      expect(asked).toBeLessThan(200_000);
    }));

  it('ends a program that uses up its processor time, and none that waits for it', async () => {
    // The clock goes on only where this test moves it: however slow the machine is, the same comes of it.
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
    const seconds = 0.5;
    try {
      await on('echo begun; cat <&3 >fed', async (bench, run) => {
        const waited = Promise.withResolvers<void>();
        async function* feed() {
          await waited.promise;
          yield Buffer.from('done');
        }
        const receive = () => {
          vi.advanceTimersByTime(1000 * (hangSecondsOf(seconds) - 1));
          waited.resolve();
        };
        expect((await run({ seconds, feed: feed(), onOutput: receive })).ended).toBe('well');
        expect(bench.read('fed', 100)?.toString()).toBe('done');
        if (cpuSeconds(process.pid) === undefined) return;
        // A shell within a shell: what its children have used counts as well. The kernel ends the one that has used a second.
        const busy = `sh -c 'sh -c "ulimit -t 1; while :; do :; done"; echo used; exec sleep 60'; exit 0`;
        const look = () => vi.advanceTimersByTime(1000);
        expect((await run({ command: ['sh', '-c', busy], seconds, onOutput: look })).ended).toBe('overtime');
      });
    } finally {
      vi.useRealTimers();
    }
  });

  it('ends a program that hangs, says too much, fails, or that nobody wants any more', () =>
    on('echo begun; exec sleep 30', async (bench, run) => {
      expect((await run({ seconds: 0.2 })).ended).toBe('overtime');
      const talkative = ['sh', '-c', 'yes'];
      expect((await run({ command: talkative, outputBytes: 10_000 })).ended).toBe('too_talkative');
      const failing = ['sh', '-c', 'echo why >&2; exit 3'];
      expect(await run({ command: failing })).toMatchObject({ ended: 'badly', words: 'why' });
      const stop = new AbortController();
      const work = run({ signal: stop.signal, onOutput: () => stop.abort(new Error('deleted')) });
      await expect(work).rejects.toThrow('deleted');
      expect(existsSync(bench.input)).toBe(true);
    }));

  it('is not there when its file breaks off', async () => {
    const broken = new Readable({
      read() {
        this.destroy(new Error('the store is away'));
      },
    });
    await expect(openWorkbench(walls, broken)).rejects.toThrow('the store is away');
    expect(workFolders()).toEqual([]);
  });

  it('lets a program see neither the data folder nor another program, where the wall is bubblewrap', async (test) => {
    if (walls.wall.name !== 'bwrap') return test.skip(`the wall here is ${walls.wall.name}`);
    await on(`ls ${path.join(home, 'data')} /root /home 2>&1; ls /proc | grep -c '^[0-9]'`, async (_, run) => {
      const { output } = await run();
      expect(output).not.toContain('keys');
      expect(Number(output.trim().split('\n').at(-1))).toBeLessThan(6);
    });
  });
});
