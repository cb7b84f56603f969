import type { FastifyInstance } from 'fastify';
import { type Mounting, sayRefusal } from '#wire/raw.ts';
import { insertMetrics } from './metrics-store.ts';
import { MetricsEnvelope, metricsPath } from './page-metrics.ts';
import { hashKey, takeRate } from './store.ts';

/** A page sends some ten measurements in its life, in one or two answers. */
const bodyLimit = 20_000;
const perMinute = 30;

/** POST /api/webhook_events: how fast pages were, from the browsers of administrators; the page's word for it does not count. */
export function mountMetrics(app: FastifyInstance, { engines, contextOf }: Mounting): void {
  const config = { who: ['admin'] as const, subject: 'none' as const };
  app.post(metricsPath, { config, bodyLimit }, async (request, reply) => {
    const { actor, now, asSystem } = contextOf(request, reply);
    const who = await actor();
    if (who.kind === 'visitor') return sayRefusal(reply, 'UNAUTHENTICATED');
    if (who.kind !== 'admin') return sayRefusal(reply, 'FORBIDDEN');
    const { data: envelope } = MetricsEnvelope.safeParse(request.body);
    if (envelope === undefined) return sayRefusal(reply, 'VALIDATION');
    const key = hashKey(engines.keys, 'page_metrics', who.userId);
    const rate = await asSystem((tx) => takeRate(tx, { key, limit: perMinute, windowSeconds: 60, now }));
    if (rate.isOver) return sayRefusal(reply, 'RATE_LIMITED', { retryAfter: rate.retryAfterSeconds });
    await asSystem((tx) => insertMetrics(tx, who.userId, envelope.data, now));
    return reply.code(204).send();
  });
}
