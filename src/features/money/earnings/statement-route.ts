import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { findMe } from '#features/accounts/store.ts';
import { hashKey, takeRate } from '#features/audit/store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { zoneOrUtc } from '#kit/time.ts';
import { type Mounting, sayRefusal } from '#wire/raw.ts';
import { writeStatementPdf, writeStatementTable } from './statement-files.ts';
import type { StatementParams } from './statement-store.ts';

/** "2026-11" or "2026". */
const Query = z.object({ period: z.string().regex(/^20\d\d(-(0[1-9]|1[0-2]))?$/) });
const config = { who: ['creator', 'admin'] as const, subject: 'none' as const };
/** Statements of one creator in an hour: each may read much. */
const statementRate = { limit: 60, windowSeconds: 3600 };

/** Whose books are asked for, and which stretch of them; undefined when it has been refused. */
async function asked(
  { engines, contextOf }: Mounting,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ params: StatementParams; creatorName: string; period: string } | undefined> {
  const context = contextOf(request, reply);
  const actor = await context.actor();
  if (actor.kind === 'visitor') return void sayRefusal(reply, 'UNAUTHENTICATED');
  const { data } = Query.safeParse(request.query);
  if (data === undefined) return void sayRefusal(reply, 'VALIDATION', { field: 'period' });
  const key = hashKey(engines.keys, 'statement', actor.userId);
  const rate = await context.asSystem((tx) => takeRate(tx, { key, ...statementRate, now: context.now }));
  if (rate.isOver) return void sayRefusal(reply, 'RATE_LIMITED', { retryAfter: rate.retryAfterSeconds });
  const me = await findMe(engines.database, actor.userId);
  const [year = '', month] = data.period.split('-');
  const by = month === undefined ? 'year' : 'month';
  const params: StatementParams = {
    creatorId: actor.userId,
    realm: engines.payments.realm,
    currency: 'usd',
    timeZone: zoneOrUtc(me?.timeZone),
    first: `${year}-${month ?? '01'}-01`,
    by,
  };
  return { params, creatorName: me?.displayName ?? '', period: data.period };
}

/** GET /api/money/statement.csv and .pdf?period=: a month line by line or a year by months, from the books, so that it adds up. */
export function mountStatements(app: FastifyInstance, mounting: Mounting): void {
  const { engines } = mounting;
  for (const kind of ['csv', 'pdf'] as const)
    app.get(`/api/money/statement.${kind}`, { config }, async (request, reply) => {
      const found = await asked(mounting, request, reply);
      if (found === undefined) return reply;
      const { params, creatorName, period } = found;
      reply.headers({
        'cache-control': 'no-store',
        'content-disposition': `attachment; filename="statement-${period}.${kind}"`,
      });
      if (kind === 'csv')
        return reply.type('text/csv; charset=utf-8').send(Readable.from(writeStatementTable(engines, params)));
      const about = { creatorName, isSandbox: engines.sandbox !== undefined, now: moneyNow(engines) };
      return reply.type('application/pdf').send(await writeStatementPdf(engines, params, about));
    });
}
