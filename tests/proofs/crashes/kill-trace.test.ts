import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { drawStranger, paintJpeg } from '#tests/support/media/paint.ts';
import { type Visitor, visit } from '#tests/support/servers/visitor.ts';
import { type Browser, headersOf } from '#tests/support/test-app.ts';
import { countOf, guards, isFull, printProof } from '../counts.ts';
import { mostSecondsLocked, secondsUntilTakenUp } from '../load/taken-up.ts';
import { mostMedianReadyMs, openKillRoom, readyFiguresOf, until } from './kill-room.ts';

guards('src/features/tracing/**', 'src/engines/jobs/**');

/** The real server, killed as a power cut would while it reads a leaked copy, and started again on the same data. */
const room = await openKillRoom();
const patience = { timeout: countOf(600_000, 3_600_000) };
let visitor: Visitor;
let creator: Browser;
/** Traces of copies of nobody's photos. */
const strangers: string[] = [];

afterAll(async () => {
  await room.close();
  printProof('kill-trace', 3 * room.kills, { kills: room.kills, ...readyFiguresOf(room.readyMs) });
});

async function submit(bytes: Buffer): Promise<string> {
  const answer = await fetch(`${room.server.url}/api/traces`, {
    method: 'POST',
    headers: { ...headersOf(creator), origin: room.server.url, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(bytes),
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { traceId: string }).traceId;
}

/** Waits for a state of a trace, and asks no more often than its work can bear. */
const untilIt = (is: readonly string[], traceId: string) =>
  until(
    async () => {
      const trace = await visitor.must('tracing.one', { traceId }, creator);
      if (is.includes(trace.state)) return trace;
      await wait(20);
      return undefined;
    },
    `A trace that is ${is.join(' or ')}`,
    5,
  );

const copiesIn = (traceId: string): string[] => {
  const folder = path.join(room.dataDir, 'files/traces', traceId);
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};

/** What a trace that was taken up again left twice, or left at all, in words. */
async function findUntidyTrace(traceId: string, isOwn: boolean): Promise<string[]> {
  const log = await room.rowsOf<{ kind: string; outcome: string | null }>(
    'select kind, outcome from trace_log where trace_id = $1 order by seq',
    [traceId],
  );
  const [{ n: answers } = { n: 0 }] = await room.rowsOf<{ n: number }>(
    `select count(*)::int as n from audit_log where action = 'leak.traced' and target_id = $1`,
    [traceId],
  );
  const files = isOwn ? 'leak.pfo preview.pfo readings.pfo' : 'preview.pfo';
  for (let tries = 0; tries < 100 && copiesIn(traceId).join(' ') !== files; tries++) await wait(100);
  const left = copiesIn(traceId).join(' ');
  const wanted = ['uploaded', `read ${isOwn ? 'inconclusive' : 'no_match'}`].join(', ');
  const found = log.map(({ kind, outcome }) => [kind, outcome].join(' ').trim()).join(', ');
  return [
    ...(found === wanted ? [] : [`the log says ${found}`]),
    ...(answers === 1 ? [] : [`answered ${answers} times`]),
    ...(left === files ? [] : [`${left} is left`]),
  ];
}

test(
  "graphile-worker's jobs that stay locked: killed while it is compared or read, a trace is taken up again within a minute and ends with one answer, one row in the log and no file too many",
  patience,
  async () => {
    // Whoever comes before the first worker finds no demo being drawn.
    await room.start('web');
    visitor = visit(room.server);
    creator = await visitor.signUp('killed@example.com');
    await room.server.end('SIGTERM');
    await room.start('all');
    const { id: albumId } = await visitor.must('albums.create', { name: 'Killed', peopleConsent: 'only_me' }, creator);
    const photo = await paintJpeg(7, 900, 700);
    const uploadId = await visitor.beginUpload(creator, albumId, photo);
    await visitor.sendFrom(creator, uploadId, photo, 0);
    expect(await visitor.untilSettled(creator, albumId)).toMatchObject([{ state: 'ready' }]);
    const moments = [['matching'], ['reading'], ['matching', 'reading']] as const;
    for (let n = 0; n < countOf(2, 30); n++) {
      // Its own photo, which was shown to nobody, and one of nobody's.
      const isOwn = n % moments.length === 1;
      const traceId = await submit(isOwn ? photo : await drawStranger(600, 400));
      await untilIt(moments[n % moments.length] ?? [], traceId);
      await room.kill();
      expect(copiesIn(traceId)).toContain('leak.pfo');
      await room.start('all');
      expect(await secondsUntilTakenUp(room.dataDir, traceId)).toBeLessThanOrEqual(mostSecondsLocked);
      const trace = await untilIt(['done', 'failed'], traceId);
      expect(trace).toMatchObject({ state: 'done', outcome: isOwn ? 'inconclusive' : 'no_match' });
      if (!isOwn) strangers.push(traceId);
      expect(await findUntidyTrace(traceId, isOwn)).toEqual([]);
      expect(await room.findUntidy()).toEqual([]);
    }
    expect(readdirSync(path.join(room.dataDir, 'files/traces'))).toHaveLength(room.kills);
    if (isFull) expect(readyFiguresOf(room.readyMs).medianReadyMs).toBeLessThanOrEqual(mostMedianReadyMs);
  },
);

test('planted: a trace that was answered twice, logged once more and left a file is found', patience, async () => {
  const traceId = strangers.at(-1) ?? '';
  expect(await findUntidyTrace(traceId, false)).toEqual([]);
  const copied = 'at, actor_type, actor_id, action, target_type, target_id';
  await room.rowsOf(
    `insert into audit_log (${copied}) select ${copied} from audit_log where action = 'leak.traced' and target_id = $1`,
    [traceId],
  );
  await room.rowsOf(
    `insert into trace_log (at, creator_id, trace_id, kind, sha256)
     select at, creator_id, trace_id, 'disclosed', sha256 from trace_log where trace_id = $1 and kind = 'uploaded'`,
    [traceId],
  );
  writeFileSync(path.join(room.dataDir, 'files/traces', traceId, 'planted.pfo'), '');
  expect(await findUntidyTrace(traceId, false)).toEqual([
    'the log says uploaded, read no_match, disclosed',
    'answered 2 times',
    'planted.pfo preview.pfo is left',
  ]);
});
