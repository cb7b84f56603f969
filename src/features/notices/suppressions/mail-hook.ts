import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Engines } from '#engines/engines.ts';
import { boundedText } from '#kit/bounded-text.ts';
import { sayRefusal } from '#wire/raw.ts';
import { isStorable } from '#wire/storable.ts';
import { markReported, reportedStates } from '../store.ts';
import { suppressAddress } from './suppressions-store.ts';

/** More than a provider sends at once. */
const mostBytes = 256_000;
const mostEvents = 1000;

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
/** What a provider says of one email: by its Message-ID, which we made of the email's id. */
const Report = z.object({
  messageId: boundedText(300).regex(uuid),
  event: z.enum(reportedStates),
  /** A mailbox that is only full or away gets the next email all the same. */
  isPermanent: z.boolean().default(true),
});
const Reports = z.object({ events: z.array(Report).max(mostEvents) });
type Report = z.infer<typeof Report>;

/** Signed is what came, byte by byte; read it is only afterwards. */
function isSigned({ headers, body }: FastifyRequest, secret: string): boolean {
  const said = /^sha256=([0-9a-f]{64})$/.exec(String(headers['pf-signature'] ?? ''))?.[1];
  if (said === undefined || !Buffer.isBuffer(body)) return false;
  return timingSafeEqual(createHmac('sha256', secret).update(body).digest(), Buffer.from(said, 'hex'));
}

function readReports(body: unknown): readonly Report[] | undefined {
  try {
    const read: unknown = JSON.parse(String(body));
    return isStorable(read) ? Reports.safeParse(read).data?.events : undefined;
  } catch {
    return undefined;
  }
}

/**
 * POST /api/hooks/mail: what became of emails, from the mail provider or whoever speaks for it. It is there only where a secret
 * is set, with which its body has to be signed (`PF-Signature: sha256=…`). Told twice, or late, it changes nothing.
 */
export async function mountMailHook(app: FastifyInstance, engines: Engines): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: mostBytes }, (_request, body, done) =>
      done(null, body),
    );
    scope.post('/api/hooks/mail', { config: { who: ['anybody'] }, bodyLimit: mostBytes }, async (request, reply) => {
      const { mailHookSecret: secret } = engines.installation;
      if (secret === undefined) return sayRefusal(reply, 'NOT_FOUND');
      if (!isSigned(request, secret))
        return sayRefusal(reply, 'UNAUTHENTICATED', { message: 'The signature is missing or wrong.' });
      const reports = readReports(request.body);
      if (reports === undefined) return sayRefusal(reply, 'VALIDATION');
      for (const report of reports) await noteReport(engines, report);
      return reply.send({});
    });
  });
}

/** Notes what became of an email. A complaint, or a mailbox that is not there, ends the notices to its address, and nothing else. */
async function noteReport(
  { database, keys, clock }: Engines,
  { messageId, event, isPermanent }: Report,
): Promise<void> {
  const [emailId = ''] = uuid.exec(messageId) ?? [];
  await database.work({ kind: 'system' }, async (tx) => {
    const address = await markReported(tx, emailId, event);
    if (address === undefined || event === 'delivered' || (event === 'bounced' && !isPermanent)) return;
    await suppressAddress(tx, keys, { address, reason: event, now: new Date(clock()) });
  });
}
