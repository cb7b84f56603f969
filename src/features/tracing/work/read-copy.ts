import type { Readable } from 'node:stream';
import type { Engines } from '#engines/engines.ts';
import { sniffVideoHead } from '#features/media/formats/sniff.ts';
import { photoLimitsOf } from '#features/media/photo-limits.ts';
import type { VideoLimits } from '#features/media/video-limits.ts';
import { settingsOf } from '#features/settings/settings.ts';
import type { Leak, Traced } from '../findings.ts';
import { stretches } from '../progress/progress.ts';
import { openTraceFile } from '../progress/trace-files.ts';
import { readMovingCopy } from './read-moving-copy.ts';
import { candidatesOf, type ReadCopy, showCopy, type TraceContext, wayOf } from './trace-context.ts';

/** Reads a copy as what its first bytes say that it is, whatever it was called: a clip, or else a picture. */
export async function readCopy(context: TraceContext): Promise<Traced<ReadCopy>> {
  const { engines, row, files } = context;
  const open = () => openTraceFile(engines.storage, files, 'leak');
  const mime = await sniffClip(await open());
  if (mime === undefined) {
    const limits = photoLimitsOf(await settingsOf(engines));
    return readPicture(context, { sizeBytes: row.bytes, open, limits });
  }
  const clip = { sizeBytes: row.bytes, open, limits: await clipLimitsOf(engines), signal: context.signal };
  return context.clipReader.withClip(clip, (laid) => readMovingCopy(context, laid, mime));
}

/** The type of a copy that says of itself that it is a video. */
async function sniffClip(stream: Readable): Promise<string | undefined> {
  try {
    for await (const part of stream) return await sniffVideoHead(part as Buffer);
    return undefined;
  } finally {
    stream.destroy();
  }
}

async function readPicture(context: TraceContext, leak: Leak): Promise<Traced<ReadCopy>> {
  const { engines, tracer, row, signal } = context;
  const print = await tracer.fingerprint(leak, signal);
  if (print.outcome === 'failed') return print;
  await showCopy(context, print.result.preview);
  const candidates = await candidatesOf(engines, row);
  const read = await tracer.read(leak, print.result.blockhash, candidates, {
    ...wayOf(context, stretches.picture),
    signal,
  });
  return read.outcome === 'failed' ? read : { outcome: 'read', result: { print: print.result, read: read.result } };
}

async function clipLimitsOf(engines: Engines): Promise<VideoLimits> {
  const settings = await settingsOf(engines);
  return {
    fileBytes: settings['limits.clipBytes'],
    minutes: settings['limits.clipMinutes'],
    sidePx: settings['limits.videoSidePx'],
    fps: settings['limits.videoFps'],
    jobSeconds: settings['limits.videoJobSeconds'],
    jobSecondsPerSecond: settings['limits.videoJobSecondsPerSecond'],
  };
}
