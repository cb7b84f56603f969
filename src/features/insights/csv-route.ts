import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { Engines } from '#engines/engines.ts';
import type { Cursor } from '#features/albums/rules.ts';
import { aliveSinceOf } from '#features/links/alive-since.ts';
import { byteOrderMark, writeLine } from '#kit/csv.ts';
import { creatorRefusal } from '#wire/answer.ts';
import { type Mounting, sayRefusal } from '#wire/raw.ts';
import { Days } from './contract.ts';
import { cellsOf, visitColumns } from './reading/csv.ts';
import { listVisits } from './store.ts';
import { showVisit } from './to-api.ts';

const Query = z.object({ days: z.coerce.number().pipe(Days).default(30) });
const pageSize = 500;

/** GET /api/insights/visits.csv: every visit of a span as a table, with a name that says nothing about its content. */
export function mountVisitsTable(app: FastifyInstance, { engines, contextOf }: Mounting): void {
  const config = { who: ['creator', 'admin'] as const, subject: 'none' as const };
  app.get('/api/insights/visits.csv', { config }, async (request, reply) => {
    const context = contextOf(request, reply);
    const { actor: findActor, now } = context;
    const actor = await findActor();
    if (actor.kind === 'visitor') return sayRefusal(reply, 'UNAUTHENTICATED');
    const no = creatorRefusal(actor.access);
    if (no !== undefined) return sayRefusal(reply, no);
    const { data: params } = Query.safeParse(request.query);
    if (params === undefined) return sayRefusal(reply, 'VALIDATION', { field: 'days' });
    const aliveSince = await aliveSinceOf(context);
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="visits-${now.toISOString().slice(0, 10)}.csv"`)
      .send(Readable.from(writeVisits(engines, { creatorId: actor.userId, days: params.days, now, aliveSince })));
  });
}

async function* writeVisits(
  { database }: Pick<Engines, 'database'>,
  { creatorId, days, now, aliveSince }: { creatorId: string; days: number; now: Date; aliveSince: Date },
): AsyncGenerator<string> {
  yield `${byteOrderMark}${writeLine(visitColumns)}`;
  let after: Cursor | undefined;
  for (;;) {
    const params = { creatorId, days, now, after, limit: pageSize };
    const rows = await database.work({ kind: 'user', userId: creatorId }, (tx) => listVisits(tx, 'all', params));
    yield rows.map((row) => writeLine(cellsOf(showVisit(row, aliveSince)))).join('');
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = { at: last.startedAt.toISOString(), id: last.visitId };
  }
}
