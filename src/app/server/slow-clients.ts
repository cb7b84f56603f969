import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bareAnswer, isAnswering, lingerMs } from './bare-answers.ts';
import type { LoopClock } from './loop-clock.ts';

/** How slow a client may be before its connection is needed for others; while this process is away nobody is slow. */
export interface SlowLimits {
  /** From the connection, or the last answer, to the end of the head. */
  headersMs: number;
  /** A body that takes longer is not a phone line but an attack; uploads have a limit of their own. */
  bodyMs: number;
  /** An upload brings at least so much … */
  uploadBytes: number;
  /** … between two looks of this distance. */
  uploadMs: number;
  /** One that has to be sent in one piece brings so much a look over its whole time: it holds a place until it is here. */
  wholeUploadBytes: number;
  /** A reader who has taken nothing of what waits for him between two looks of this distance is gone. */
  readerMs: number;
  /** How often heads are looked at. */
  checkMs: number;
}

export const usualSlowLimits: SlowLimits = {
  headersMs: 5000,
  bodyMs: 10_000,
  uploadBytes: 65_536,
  uploadMs: 30_000,
  wholeUploadBytes: 245_760,
  readerMs: 60_000,
  checkMs: 1000,
};

/** What a reader had taken when we last looked. */
interface Look {
  takenBytes: number;
  isWaiting: boolean;
}

/** Cuts bodies and readers that do not get on. */
export function cutSlowClients(
  app: FastifyInstance,
  { clock, ...limits }: SlowLimits & { clock: LoopClock },
  installation: { isSecure: boolean },
): void {
  const { bodyMs, readerMs } = limits;
  const seen = new Map<Socket, Look>();
  app.addHook('onRequest', async (request, reply) => {
    const { raw, routeOptions } = request;
    const isResumed = routeOptions.url?.startsWith('/files') === true;
    if (isResumed)
      cutSlowUpload(
        request,
        reply,
        { ...limits, clock, wholeUploadBytes: 0 },
        tooSlow(installation, 'It will continue automatically.'),
      );
    else if (routeOptions.config.isUpload)
      cutSlowUpload(request, reply, { ...limits, clock }, tooSlow(installation, 'Please try again.'));
    else cutSlowBody(raw, clock, bodyMs);
    const { socket } = raw;
    if (seen.has(socket)) return;
    seen.set(socket, { takenBytes: 0, isWaiting: false });
    socket.once('close', () => seen.delete(socket));
  });
  const endLooks = clock.every(readerMs, () => {
    for (const [socket, before] of seen) {
      const now = { takenBytes: socket.bytesWritten - socket.writableLength, isWaiting: socket.writableLength > 0 };
      if (now.isWaiting && before.isWaiting && now.takenBytes === before.takenBytes) socket.destroy();
      else seen.set(socket, now);
    }
  });
  app.addHook('onClose', async () => endLooks());
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** Cuts a body that does not come to its end. */
export function cutSlowBody(raw: IncomingMessage, clock: LoopClock, bodyMs: number): void {
  if (!hasBody(raw) || raw.complete) return;
  const forget = clock.after(bodyMs, () => {
    if (!raw.complete) raw.destroy();
  });
  raw.once('end', forget);
  raw.once('close', forget);
}

/** An upload may take as long as it likes while it gets on; what still comes after the answer is a body like any other. */
function cutSlowUpload(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  limits: SlowLimits & { clock: LoopClock },
  answer: string,
): void {
  const { clock, bodyMs, uploadBytes, uploadMs, wholeUploadBytes } = limits;
  if (!hasBody(raw)) return;
  const { socket } = raw;
  const before = socket.bytesRead;
  let seenBytes = before;
  let looks = 0;
  const endLooks = clock.every(uploadMs, () => {
    looks++;
    const isBehind = socket.bytesRead - before < looks * wholeUploadBytes;
    // What lies there unread waits for us, not for the sender.
    const isSlow = (socket.bytesRead - seenBytes < uploadBytes || isBehind) && raw.readableLength === 0;
    if (isSlow && !raw.complete) notifyAndCut(raw, reply, answer);
    seenBytes = socket.bytesRead;
  });
  raw.once('close', endLooks);
  reply.raw.once('finish', () => {
    endLooks();
    cutSlowBody(raw, clock, bodyMs);
  });
}

const tooSlow = (installation: { isSecure: boolean }, whatNext: string) =>
  bareAnswer(installation, 408, 'UPLOAD_TOO_SLOW', `The upload was too slow. ${whatNext}`);

/** Says over the bare line that this was too slow (RFC 9110 §15.5.9): the answer itself belongs to whoever still reads. */
function notifyAndCut(raw: FastifyRequest['raw'], reply: FastifyReply, answer: string): void {
  if (!reply.raw.headersSent && !isAnswering(raw.socket)) raw.socket.end(answer);
  setTimeout(() => raw.destroy(), lingerMs).unref();
}
