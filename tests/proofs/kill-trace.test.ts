import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { type Browser, headersOf } from '#tests/support/house.ts';
import { drawStranger, paintJpeg } from '#tests/support/paint.ts';
import {
  findFreePort,
  listDatabasesIn,
  makeDataDir,
  type ServerProcess,
  spawnServer,
} from '#tests/support/server-process.ts';
import { type Visitor, visit } from '#tests/support/visitor.ts';
import { countOf, tellProof } from './counts.ts';
import { mostSecondsLocked, secondsUntilTakenUp } from './taken-up.ts';

/** R6 for traces: the real server, killed as a power cut would while it reads a leaked copy, and started again on the same data. */
const [dataDir, workDir, port] = [makeDataDir('pf-kill-trace-'), makeDataDir('pf-work-'), await findFreePort()];
const patience = { timeout: countOf(600_000, 3_600_000) };
let server: ServerProcess;
let visitor: Visitor;
let creator: Browser;
let kills = 0;

async function start(role: 'web' | 'all'): Promise<void> {
  server = spawnServer({ port, dataDir, environment: { PF_ROLE: role, TMPDIR: workDir } });
  await server.untilUp();
}

async function kill(): Promise<void> {
  kills++;
  await server.end('SIGKILL');
  await expect.poll(() => listDatabasesIn(path.join(dataDir, 'pg')), { timeout: 20_000 }).toEqual([]);
}

afterAll(async () => {
  await server.end('SIGTERM');
  for (const folder of [dataDir, workDir]) rmSync(folder, { recursive: true, force: true });
  tellProof('kill-trace', 3 * kills, { kills });
}, 60_000);

/** What the database holds, whoever it belongs to. */
async function rowsOf<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
  const client = new pg.Client({ host: path.join(dataDir, 'pg/run'), port: 5432, user: 'pf', database: 'pf' });
  await client.connect();
  try {
    await client.query('set role app_system');
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

async function handIn(bytes: Buffer): Promise<string> {
  const answer = await fetch(`${server.url}/api/traces`, {
    method: 'POST',
    headers: { ...headersOf(creator), origin: server.url, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(bytes),
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { traceId: string }).traceId;
}

/** Waits for a state of a trace. */
async function until(traceId: string, states: readonly string[]) {
  for (const end = performance.now() + 300_000; performance.now() < end; await wait(20)) {
    const trace = await visitor.must('tracing.one', { traceId }, creator);
    if (states.includes(trace.state)) return trace;
  }
  throw new Error(`A trace was not ${states.join(' or ')} within five minutes.`);
}

const copiesIn = (traceId: string): string[] => {
  const folder = path.join(dataDir, 'files/traces', traceId);
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};

test(
  'R6, graphile-worker’s jobs that stay locked: killed while it is compared or read, a trace is taken up again within a minute and ends with one answer, one row in the log and no file too many',
  patience,
  async () => {
    // Whoever comes before the first worker finds no demo being drawn.
    await start('web');
    visitor = visit(server.url);
    creator = await visitor.signUp('killed@example.com');
    await server.end('SIGTERM');
    await start('all');
    const { id: albumId } = await visitor.must('albums.create', { name: 'Killed' }, creator);
    const photo = await paintJpeg(7, 900, 700);
    const uploadId = await visitor.beginUpload(creator, albumId, photo);
    await visitor.sendFrom(creator, uploadId, photo, 0);
    expect(await visitor.untilSettled(creator, albumId)).toMatchObject([{ state: 'ready' }]);
    const moments = [['matching'], ['reading'], ['matching', 'reading']] as const;
    for (let n = 0; n < countOf(2, 30); n++) {
      // Its own photo, which was shown to nobody, and one of nobody's.
      const isOwn = n % moments.length === 1;
      const traceId = await handIn(isOwn ? photo : await drawStranger(600, 400));
      await until(traceId, moments[n % moments.length] ?? []);
      await kill();
      expect(copiesIn(traceId)).toContain('leak.pfo');
      await start('all');
      expect(await secondsUntilTakenUp(dataDir, traceId)).toBeLessThanOrEqual(mostSecondsLocked);
      const trace = await until(traceId, ['done', 'failed']);
      expect(trace).toMatchObject({ state: 'done', outcome: isOwn ? 'inconclusive' : 'no_match' });
      const log = await rowsOf('select kind, outcome from trace_log where trace_id = $1 order by seq', [traceId]);
      expect(log).toEqual([
        { kind: 'uploaded', outcome: null },
        { kind: 'read', outcome: trace.outcome },
      ]);
      const answers = await rowsOf(`select 1 from audit_log where action = 'leak.traced' and target_id = $1`, [
        traceId,
      ]);
      expect(answers).toHaveLength(1);
      const files = isOwn ? ['leak.pfo', 'preview.pfo', 'readings.pfo'] : ['preview.pfo'];
      await expect.poll(() => copiesIn(traceId), { timeout: 10_000 }).toEqual(files);
      const ofTheDead = readdirSync(workDir).filter(
        (name) => name.startsWith('privatefans-child-') && !name.startsWith(`privatefans-child-${server.pid}-`),
      );
      expect(ofTheDead).toEqual([]);
    }
    expect(readdirSync(path.join(dataDir, 'files/traces'))).toHaveLength(kills);
  },
);
