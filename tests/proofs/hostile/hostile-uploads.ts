import { readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, vi } from 'vitest';
import { filesBelow, listBelow } from '#tests/support/database/list-below.ts';
import { sendFile } from '#tests/support/media/send-file.ts';
import { readRows, signUpCreator } from '#tests/support/people.ts';
import { makeDataDir } from '#tests/support/servers/server-process.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { mostDecoderBytes, type Seen } from '../viewers/watch-verdicts.ts';
import type { HostileFile } from './hostile-files.ts';

/** What a captured decoder would reach for. */
export interface Trap {
  /** Everything temporary of this process lies here, and nothing else does. */
  folder: string;
  /** An address that nobody may ask. */
  address: string;
  /** How often somebody came there. */
  visits(): number;
  forget(): void;
  close(): void;
}

/** Sets the trap; apps that open later lie in its folder. */
export async function openTrap(): Promise<Trap> {
  const folder = makeDataDir('pf-scratch-');
  vi.stubEnv('TMPDIR', folder);
  let visits = 0;
  const listener = createServer((_request, response) => response.end()).on('connection', () => {
    visits++;
  });
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  const { address, port } = listener.address() as AddressInfo;
  return {
    folder,
    address: `http://${address}:${port}`,
    visits: () => visits,
    forget: () => {
      visits = 0;
    },
    close() {
      listener.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What was sent, and what was answered. */
export interface Sent {
  file: HostileFile;
  status: number;
  id: string;
}

export interface State {
  id: string;
  state: string;
  fail_code: string | null;
}

/** No album is ever full of them. */
const filesPerAlbum = 400;
const isOver = ({ state }: State) => state === 'ready' || state === 'failed';

type Figures = Pick<Seen, 'peakBytes' | 'slowestSeconds'>;

/** An installation to which one creator sends hostile files. */
export interface HostileWorld {
  app: TestApp;
  send(file: HostileFile): Promise<Sent>;
  states(): Promise<State[]>;
  /** Waits until every file is judged. */
  waitForVerdicts(timeoutMs: number): Promise<State[]>;
  /** Every file of the trap's folder outside of the data folder, and every folder but the empty ones of children that wait for more. */
  leftInScratch(): string[];
  /** Files of the data folder that came since and that no row names. */
  strays(): Promise<string[]>;
  /**
   * Returns what went wrong, in words.
   * @param sent the last one is good
   * @param mostSeconds that a verdict may take
   * @param mostBytes that a decoder may hold
   */
  findFaults(sent: readonly Sent[], seen?: Figures, mostSeconds?: number, mostBytes?: number): Promise<string[]>;
}

/** Opens the app. */
export async function openHostileWorld(trap: Trap, workJobs = true): Promise<HostileWorld> {
  trap.forget();
  const app = await openTestApp({ workJobs });
  const creator = await signUpCreator(app);
  if (!app.fastify.server.listening) await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  const { dataDir } = app.engines.installation;
  let [albumId, sentFiles] = ['', 0];
  const before = new Set(filesBelow(dataDir));
  const states = async () => (await readRows(app, 'select id, state, fail_code from media')) as unknown as State[];
  const world: Omit<HostileWorld, 'findFaults'> = {
    app,
    async send(file) {
      if (sentFiles++ % filesPerAlbum === 0)
        albumId = (await app.call('albums.create', { name: 'Hostile', peopleConsent: 'only_me' }, creator.browser)).body
          .id;
      return { file, ...(await sendFile(app, creator, albumId, file)) };
    },
    states,
    waitForVerdicts: (timeoutMs) =>
      vi.waitFor(
        async () => {
          const all = await states();
          expect(all.filter((row) => !isOver(row))).toEqual([]);
          return all;
        },
        { timeout: timeoutMs, interval: 500 },
      ),
    leftInScratch() {
      const empty = /\/privatefans-child-[^/]+(\/inputs|\/outputs)?$/;
      return listBelow(trap.folder)
        .map((entry) => ({ place: path.join(entry.parentPath, entry.name), isFolder: entry.isDirectory() }))
        .filter(({ place }) => place !== dataDir && !place.startsWith(`${dataDir}/`))
        .flatMap(({ place, isFolder }) => (isFolder && empty.test(place) ? [] : [path.relative(trap.folder, place)]));
    },
    async strays() {
      const named = await readRows(
        app,
        'select path from packs union all select path from segment_files union all select original_path from media',
      );
      const names = new Set(named.map(({ path: file }) => `files/${file}`));
      return filesBelow(dataDir).filter(
        (file) => !(before.has(file) || names.has(file) || file.startsWith('staging/')),
      );
    },
  };
  return { ...world, findFaults: (...found) => findFaults(trap, world, ...found) };
}

async function findFaults(
  trap: Trap,
  { app, states, leftInScratch, strays }: Omit<HostileWorld, 'findFaults'>,
  sent: readonly Sent[],
  seen: Figures = { peakBytes: 0, slowestSeconds: 0 },
  mostSeconds = Number.POSITIVE_INFINITY,
  mostBytes = mostDecoderBytes,
): Promise<string[]> {
  const all = await states();
  const ended = new Map(all.map((row) => [row.id, row]));
  const taken = sent.filter(({ status }) => status < 300);
  const wrong = taken.flatMap(({ file: { what, code }, id }) =>
    code === undefined || ended.get(id)?.fail_code === code ? [] : [`${what} ended as ${ended.get(id)?.fail_code}`],
  );
  const faults: Record<string, boolean> = {
    'an error of the server': sent.some(({ status }) => status >= 500),
    'a file that nobody heard of again': taken.some(({ id }) => !/ready|failed/.test(ended.get(id)?.state ?? '')),
    'a failure without a reason': all.some(({ state, fail_code }) => state === 'failed' && fail_code === null),
    'a good file that was held up': ended.get(sent.at(-1)?.id ?? '')?.state !== 'ready',
    'somebody was asked': trap.visits() > 0,
    'something was left in staging': readdirSync(path.join(app.engines.installation.dataDir, 'staging')).length > 0,
    'something was left in the scratch folder': leftInScratch().length > 0,
    'a stored file has no name': (await strays()).length > 0,
    'a decoder held too much': seen.peakBytes > mostBytes,
    'a verdict took too long': seen.slowestSeconds > mostSeconds,
    'the server is ill': (await app.fastify.inject('/healthz')).statusCode !== 200,
  };
  return [...Object.keys(faults).filter((fault) => faults[fault]), ...wrong];
}
