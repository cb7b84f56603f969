import type { FastifyInstance } from 'fastify';
import { hashKey, takeRate } from '#features/audit/store.ts';
import { type Mounting, sayRefusal } from '#wire/raw.ts';
import { writeEvidencePdf } from '../evidence/evidence-pdf.ts';
import { makeEvidence } from '../evidence/make-evidence.ts';
import { readTraceFile } from '../progress/trace-files.ts';
import { findTrace, findTraceKey } from '../store.ts';
import { readAsker, traceRouteConfig } from './asker.ts';

const privately = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' };
/** Evidence files of one creator in an hour: each gathers much, and may disclose codewords. */
const evidenceRate = { limit: 30, windowSeconds: 3600 };

/** GET /api/traces/:traceId/preview and …/original, and POST …/evidence.json, .pdf, which may write something down: for the creator whose trace it is. */
export function mountTraceFiles(app: FastifyInstance, { engines, contextOf }: Mounting): void {
  for (const picture of ['preview', 'original'] as const)
    app.get(`/api/traces/:traceId/${picture}`, { config: traceRouteConfig }, async (request, reply) => {
      const wanted = await readAsker(contextOf(request, reply), request, reply);
      if (wanted === undefined) return reply;
      const { creatorId, traceId } = wanted;
      const key = await engines.database.work({ kind: 'user', userId: creatorId }, async (tx) => {
        const row = await findTrace(tx, traceId);
        return row?.hasPreview ? findTraceKey(tx, engines.keys, traceId) : undefined;
      });
      const bytes = key && (await readTraceFile(engines.storage, { traceId, key }, picture));
      if (bytes === undefined) return sayRefusal(reply, 'NOT_FOUND');
      return reply.headers({ ...privately, 'content-type': 'image/webp', 'content-disposition': 'inline' }).send(bytes);
    });
  for (const kind of ['json', 'pdf'] as const)
    app.post(`/api/traces/:traceId/evidence.${kind}`, { config: traceRouteConfig }, async (request, reply) => {
      const context = contextOf(request, reply);
      const wanted = await readAsker(context, request, reply);
      if (wanted === undefined) return reply;
      const { creatorId, traceId } = wanted;
      const key = hashKey(engines.keys, 'evidence', creatorId);
      const rate = await context.asSystem((tx) => takeRate(tx, { key, ...evidenceRate, now: context.now }));
      if (rate.isOver) return sayRefusal(reply, 'RATE_LIMITED', { retryAfter: rate.retryAfterSeconds });
      const order = { traceId, now: context.now, isForChecking: kind === 'json' };
      const evidence = await makeEvidence(engines, creatorId, order);
      if (evidence === undefined) return sayRefusal(reply, 'NOT_FOUND');
      const name = `attachment; filename="evidence-${traceId}.${kind}"`;
      reply.headers({ ...privately, 'content-disposition': name });
      if (kind === 'pdf') return reply.type('application/pdf').send(await writeEvidencePdf(evidence));
      return reply.type('application/json').send(`${JSON.stringify(evidence, null, 1)}\n`);
    });
}
