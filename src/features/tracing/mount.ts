import type { FastifyInstance } from 'fastify';
import type { Mounting } from '#wire/raw.ts';
import type { TraceBilling } from './paying.ts';
import { mountTraceFiles } from './work/files-route.ts';
import { mountTakedownLetter } from './work/letter-route.ts';
import { mountTraceUpload } from './work/upload-route.ts';

/** The raw routes of tracing: a leaked copy is submitted, its pictures and its evidence are read. */
export async function mountTracing(app: FastifyInstance, mounting: Mounting, billing: TraceBilling): Promise<void> {
  await mountTraceUpload(app, mounting, billing);
  mountTraceFiles(app, mounting);
  mountTakedownLetter(app, mounting);
}
