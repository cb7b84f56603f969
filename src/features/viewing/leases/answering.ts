import type { FastifyReply } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import type { Grant } from '#features/media/codewords.ts';
import { frameKind, writeJson } from '#features/media/frames.ts';
import { readAhead, type Sendable, sendPictures } from '#features/media/send-pictures.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { minuteMs, secondMs } from '#kit/time.ts';
import { streamRaw } from '#wire/raw.ts';
import type { No } from '../refusals.ts';
import type { Guard, Terms } from './lending.ts';

/** A stream of one head and its pictures; a refusal on the way is its last frame. @throws StorageAway before its first byte */
export async function answerPictures(
  engines: Engines,
  reply: FastifyReply,
  answer: { head: object; grant: Grant; pictures: readonly Sendable[]; guard: Guard },
): Promise<FastifyReply> {
  const { head, grant, pictures, guard } = answer;
  await readAhead(engines, pictures);
  return streamRaw(reply, engines.log, async (response) => {
    if (!(await writeJson(response, frameKind.head, head))) return false;
    if (await sendPictures(engines, response, grant, pictures, guard)) return true;
    const no = guard.refusal();
    return no !== undefined && writeJson(response, frameKind.refusal, no.refusal);
  });
}

/** A refusal before anything was sent. */
export const answerNo = (reply: FastifyReply, { status, refusal }: No): FastifyReply =>
  reply.code(status).header('cache-control', 'no-store').send(refusal);

/** What nobody who only looks comes to. */
interface Limits {
  fullPhotosPerMinute: number;
  videoSecondsPerMinute: number;
}

/** How long keys are lent, by the app's settings. */
export async function termsOf(engines: Engines): Promise<Terms & Limits> {
  const settings = await settingsOf(engines);
  return {
    leaseMs: settings['viewing.leaseSeconds'] * secondMs,
    renewMs: settings['viewing.renewSeconds'] * secondMs,
    idleMs: settings['viewing.idleMinutes'] * minuteMs,
    fullPhotosPerMinute: settings['viewing.fullPhotosPerMinute'],
    videoSecondsPerMinute: settings['viewing.filmSecondsPerMinute'],
  };
}
