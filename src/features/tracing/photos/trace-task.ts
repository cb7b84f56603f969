import { Readable } from 'node:stream';
import type * as z from 'zod';
import type { ChildPool } from '#engines/children/child-pool.ts';
import type { PictureTrack } from '#features/media/formats/keys.ts';
import { sizeOfPlainWebp } from '#features/media/formats/plain-webp.ts';
import { photoLimits } from '#features/media/photo-limits.ts';
import { runDecoder } from '#features/media/run-decoder.ts';
import type { Leak, TraceFailure } from '../findings.ts';
import { previewSide, type TraceAnswer, type TraceJob, traceAnswerShape } from './trace-job.ts';

/** One leak at work. */
export interface Work {
  pool: ChildPool;
  leak: Leak;
  signal?: AbortSignal | undefined;
}

/** A stored pack and its medium's key. */
export interface OpenPack {
  track: PictureTrack;
  bytes: Buffer;
  mediaKey: Buffer;
}

/** A leak that cannot be read, with the reason. */
export class LeakRefused extends Error {
  readonly code: TraceFailure;
  constructor(code: TraceFailure, words: string) {
    super(words);
    this.code = code;
  }
}

/** What ours would never say: the child was taken over, or is broken. */
export class MalformedAnswer extends Error {
  constructor(what: string) {
    super(`a trace child answered strangely: ${what}`);
  }
}

/** What a child answered, when it is of this shape. @throws MalformedAnswer */
export function checkAnswer<T>(shape: z.ZodType<T>, answer: unknown): T {
  const { success, data } = shape.safeParse(answer);
  if (!success) throw new MalformedAnswer('not in its shape');
  return data;
}

const mostPreviewBytes = 1e6;

/**
 * Gives the child one task: the leak, and packs behind it.
 * @throws LeakRefused when the leak is at fault
 */
export async function askChild(
  { pool, leak, signal }: Work,
  kind: TraceJob['kind'],
  packs: readonly OpenPack[],
): Promise<{ answer: TraceAnswer; preview: Buffer | undefined }> {
  const limits = leak.limits ?? photoLimits;
  if (leak.sizeBytes > limits.fileBytes) throw new LeakRefused('TOO_BIG', 'the file');
  const job: TraceJob = {
    kind,
    limits,
    leakBytes: leak.sizeBytes,
    packs: packs.map(({ track, bytes, mediaKey }) => ({
      track,
      sizeBytes: bytes.length,
      mediaKey: mediaKey.toString('base64'),
    })),
  };
  const task = await runDecoder(pool, {
    job,
    openInput: () => Readable.from(joined(leak, packs)),
    outputs: kind === 'fingerprint' ? ['preview'] : [],
    outputBytes: mostPreviewBytes,
    signal,
  });
  if (task.ended === 'failed') throw new LeakRefused(task.code, task.words);
  const answer = checkAnswer(traceAnswerShape, task.answer);
  if (answer.outcome === 'refused') throw new LeakRefused(answer.code, answer.words);
  const preview = task.files.get('preview');
  if (preview !== undefined && !isPreview(preview)) throw new MalformedAnswer('a preview that is more than a picture');
  return { answer, preview };
}

/** A browser will be given it: it must be one small picture without anything else. */
function isPreview(bytes: Buffer): boolean {
  const { width = 0, height = 0 } = sizeOfPlainWebp(bytes) ?? {};
  return Math.min(width, height) > 0 && Math.max(width, height) <= previewSide;
}

async function* joined(leak: Leak, packs: readonly OpenPack[]): AsyncGenerator<Buffer> {
  let sizeBytes = 0;
  for await (const part of await leak.open()) {
    sizeBytes += (part as Buffer).length;
    yield part as Buffer;
  }
  if (sizeBytes !== leak.sizeBytes) throw new Error(`a leak of ${leak.sizeBytes} bytes was read as ${sizeBytes}`);
  for (const { bytes } of packs) yield bytes;
}
