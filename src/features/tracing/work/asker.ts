import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUuid } from '#kit/ids.ts';
import { creatorRefusal } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { sayRefusal } from '#wire/raw.ts';

/** Who may succeed with a route about a trace. */
export const traceRouteConfig = { who: ['creator', 'admin'] as const, subject: 'trace' as const };

/** Returns whose call it is and about which trace; undefined when it has been refused. */
export async function readAsker(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ creatorId: string; traceId: string } | undefined> {
  const { traceId } = request.params as { traceId: string };
  const actor = await context.actor();
  if (actor.kind === 'visitor') return void sayRefusal(reply, 'UNAUTHENTICATED');
  const no = creatorRefusal(actor.access);
  if (no !== undefined) return void sayRefusal(reply, no);
  if (!isUuid(traceId)) return void sayRefusal(reply, 'NOT_FOUND');
  return { creatorId: actor.userId, traceId };
}
