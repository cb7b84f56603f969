import type { Walls } from '#engines/children/walls.ts';
import { openVideoEngine } from '#engines/video/open-engine.ts';
import { openClipReader } from '#features/tracing/clips/clip-reader.ts';
import { openTracer } from '#features/tracing/photos/tracer.ts';
import { findTraceKey } from '#features/tracing/store.ts';
import type { TraceContext } from '#features/tracing/work/trace-context.ts';
import type { TestApp } from '../test-app.ts';

/** A copy at work, step by step, beside the work that would do all of it. */
export async function openTraceContext({ engines }: TestApp, walls: Walls, traceId: string) {
  const { stored, key } = await engines.database.work({ kind: 'system' }, async (tx) => ({
    stored: await tx.db.selectFrom('traces').selectAll().where('id', '=', traceId).executeTakeFirstOrThrow(),
    key: await findTraceKey(tx, engines.keys, traceId),
  }));
  if (key === undefined) throw new Error('There is no such copy.');
  const row = { ...stored, known_at: stored.created_at };
  const [tracer, clipReader] = [openTracer(walls), openClipReader(walls, await openVideoEngine(walls))];
  const context: TraceContext = {
    engines,
    tracer,
    clipReader,
    row,
    files: { traceId, key },
    signal: new AbortController().signal,
    turnEndsAt: Number.POSITIVE_INFINITY,
  };
  return { context, close: async () => void (await Promise.all([tracer.close(), clipReader.close()])) };
}
