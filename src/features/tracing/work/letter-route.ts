import type { FastifyInstance } from 'fastify';
import type { Tx } from '#engines/database/work.ts';
import { hashKey, takeRate } from '#features/audit/store.ts';
import { firstFaultOf, type Mounting, sayRefusal } from '#wire/raw.ts';
import { TakedownLetter } from '../contract.ts';
import { type LetterFacts, writeTakedownLetter } from '../evidence/takedown-letter.ts';
import { findTrace } from '../store.ts';
import { resultOf } from '../to-api.ts';
import { listItems } from '../verdict/people-store.ts';
import { mediaIdsOf } from '../verdict/result.ts';
import { readAsker, traceRouteConfig } from './asker.ts';

/** Letters of one creator in an hour. */
const rate = { limit: 30, windowSeconds: 3600 };

/** POST /api/traces/:traceId/letter.pdf: the letter that asks a host to take a copy down, for the creator whose trace it is. */
export function mountTakedownLetter(app: FastifyInstance, { engines, contextOf }: Mounting): void {
  app.post('/api/traces/:traceId/letter.pdf', { config: traceRouteConfig }, async (request, reply) => {
    const context = contextOf(request, reply);
    const asker = await readAsker(context, request, reply);
    if (asker === undefined) return reply;
    const { creatorId, traceId } = asker;
    const letter = TakedownLetter.safeParse(request.body);
    if (!letter.success) return sayRefusal(reply, 'VALIDATION', firstFaultOf(letter.error));
    const key = hashKey(engines.keys, 'letter', creatorId);
    const { isOver, retryAfterSeconds } = await context.asSystem((tx) =>
      takeRate(tx, { key, ...rate, now: context.now }),
    );
    if (isOver) return sayRefusal(reply, 'RATE_LIMITED', { retryAfter: retryAfterSeconds });
    const facts = await engines.database.work({ kind: 'user', userId: creatorId }, (tx) =>
      gatherFacts(tx, traceId, letter.data, context.now),
    );
    if (facts === undefined) return sayRefusal(reply, 'NOT_FOUND');
    return reply
      .headers({
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
        'content-disposition': `attachment; filename="takedown-${traceId}.pdf"`,
      })
      .type('application/pdf')
      .send(await writeTakedownLetter(facts));
  });
}

/** Returns what the letter says; undefined for a trace that is unknown, somebody else's, or that found nothing of theirs. */
async function gatherFacts(
  tx: Tx,
  traceId: string,
  letter: TakedownLetter,
  now: Date,
): Promise<LetterFacts | undefined> {
  const row = await findTrace(tx, traceId);
  const result = row && resultOf(row);
  if (row === undefined || result === undefined || row.outcome === null || row.outcome === 'no_match') return undefined;
  const originals = await listItems(tx, row.creatorId, mediaIdsOf(result));
  return {
    ...letter,
    traceId,
    sha256: row.sha256.toString('hex'),
    submittedAt: row.createdAt,
    originals: originals.map(({ createdAt, sha256 }) => ({ uploadedAt: createdAt, sha256: sha256.toString('hex') })),
    now,
  };
}
