import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { answerOf, openPlantedApp } from '#tests/support/planted/planted-pool.ts';
import { hangSecondsOf } from './time-limit.ts';
import type { Wall } from './wall.ts';
import { openWalls, type Walls, wallsHere } from './walls.ts';

const { home, site, openPool } = openPlantedApp();
const walls = await openWalls(site);
const titleOf = ({ name, userId }: Wall) => `${name} as ${userId === undefined ? 'our own user' : `user ${userId}`}`;
const standing = await Promise.all(
  wallsHere().map(async (wall) => {
    const opened = await openWalls(site, [wall]);
    return { title: titleOf(wall), walls: titleOf(opened.wall) === titleOf(wall) ? opened : undefined };
  }),
);

describe('every wall of this machine', () => {
  it('is bubblewrap where that works at all', async (test) => {
    const isThere = spawnSync('bwrap', ['--ro-bind', '/', '/', 'true']).status === 0;
    if (!isThere) return test.skip('bubblewrap is not installed, or may not make namespaces');
    expect(walls.wall.name).toBe('bwrap');
    if (process.getuid?.() === 0) expect(walls.wall.userId).toBe(65_533);
  });

  it.runIf(process.platform !== 'win32')('is kept though its trial waited for a processor', async () => {
    const go = join(home, 'go');
    const wrap = () => ['sh', '-c', `until [ -e '${go}' ]; do sleep 0.05; done; exec "$0" "$@"`];
    const late: Wall = { name: 'unshare -n', userId: undefined, words: 'late', wrap };
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
    try {
      const opening = openWalls({ ...site, trialSeconds: 1 }, [late]);
      expect(vi.getTimerCount()).toBeGreaterThan(0);
      vi.advanceTimersByTime(1000 * (hangSecondsOf(1) - 1));
      writeFileSync(go, '');
      expect((await opening).wall).toBe(late);
    } finally {
      vi.useRealTimers();
      rmSync(go, { force: true });
    }
  });

  for (const { title, walls: opened } of standing)
    it(`${title} holds a child that reads its input and writes its output`, async (test) => {
      if (!opened) return test.skip('it does not stand on this machine');
      const pool = openPool(opened);
      expect((await answerOf(pool, { act: 'copy' })).files.get('copy')?.toString()).toBe('a picture');
      const { user, environment } = (await answerOf(pool, { act: 'about' })).answer as {
        user: number;
        environment: string[];
      };
      // Inside of its own mapping everybody is called root.
      const ownUser = opened.wall.userId ?? process.getuid?.();
      expect(user).toBe(opened.wall.name === 'unshare -rn' ? 0 : ownUser);
      expect(environment.filter((name) => name !== 'PWD')).toEqual(['PATH', 'VIPS_DISC_THRESHOLD']);
    });
});

describe(`a captured child (the strongest wall here: ${titleOf(walls.wall)})`, () => {
  let servers: Server[];
  let touched = 0;
  const listen = (where: string | number) =>
    new Promise<Server>((resolve) => {
      const server = createServer((socket) => {
        touched++;
        socket.destroy();
      });
      server.listen(where, () => resolve(server));
    });

  beforeAll(async () => {
    writeFileSync(join(home, 'data/keys.json'), 'the master key', { mode: 0o600 });
    servers = await Promise.all([listen(join(home, 'data/database.sock')), listen(0)]);
  });
  afterAll(() => {
    for (const server of servers) server.close();
  });

  const pry = async (from: Walls) => {
    const address = servers[1]?.address();
    const { answer } = await answerOf(openPool(from), {
      act: 'pry',
      secret: join(home, 'data/keys.json'),
      socket: join(home, 'data/database.sock'),
      port: typeof address === 'object' && address ? address.port : 0,
      neighbour: process.pid,
    });
    return Object.keys(answer as object);
  };

  for (const { title, walls: opened } of standing) {
    const isOpenField = title === 'none as our own user';
    it.skipIf(!opened || isOpenField)(`behind ${title} gets no further than that wall says`, async () => {
      if (!opened) return;
      touched = 0;
      const loot = await pry(opened);
      const { name, userId } = opened.wall;
      if (name !== 'none') expect(loot).not.toContain('network');
      // Without a file system of its own, only its user keeps a child from the key file and the database's socket.
      if (name === 'bwrap') expect([loot, touched]).toEqual([[], 0]);
      else if (userId !== undefined) expect(loot.filter((thing) => thing !== 'network')).toEqual([]);
      expect(existsSync(join(home, 'data/keys.json.planted'))).toBe(name !== 'bwrap' && userId === undefined);
      rmSync(join(home, 'data/keys.json.planted'), { force: true });
    });
  }

  it.runIf(standing.at(-1)?.walls)('in the open field gets everything, so the tries above are real', async () => {
    expect(await pry(standing.at(-1)?.walls ?? walls)).toEqual([
      'secret',
      'folder',
      'neighbour',
      'planting',
      'socket',
      'network',
    ]);
    rmSync(join(home, 'data/keys.json.planted'));
  });
});
