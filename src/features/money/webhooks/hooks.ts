import type { FastifyInstance } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import type { HookName } from '#engines/payments/payments.ts';
import { doTogether } from '#engines/together.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { wakeInbox } from './inbox.ts';
import { keepEvents, type ReceivedEvent } from './inbox-store.ts';

const mostBytes = 256 * 1024;
/** Events of one payment come together, and are kept together. */
const keptAtOnce = 50;

/**
 * POST /api/hooks/…: where the payment provider tells what happened. The signature is checked over the bytes as they came, the
 * event is kept, and only then acknowledged; acting upon it comes afterwards. A hook without a secret does not exist.
 */
export async function mountHooks(app: FastifyInstance, engines: Engines): Promise<void> {
  const { payments, sandbox } = engines;
  const keep = doTogether<ReceivedEvent>(
    (received) => keepEvents(engines.database, engines.payments.realm, received),
    keptAtOnce,
  );
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: mostBytes }, (_request, body, done) =>
      done(null, body),
    );
    for (const hook of payments.hooks)
      scope.post(`/api/hooks/${hook}`, { config: { who: ['anybody'] } }, async (request, reply) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const signature = request.headers['stripe-signature'];
        const isSigned = await takeEvent(engines, keep, hook, { body, signature: String(signature ?? '') });
        return isSigned ? reply.send({}) : reply.code(400).send(notSigned);
      });
  });
  app.addHook('onClose', async () => sandbox?.deliverTo(undefined));
  sandbox?.deliverTo(async (hook, body, signature) => {
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
    const answer = await app.inject({ method: 'POST', url: `/api/hooks/${hook}`, headers, payload: body });
    return { status: answer.statusCode, words: answer.body };
  });
}

const notSigned = { code: 'VALIDATION', message: 'The payment provider has not signed this.' };

/**
 * Keeps an event, unless nothing comes of it. The provider repeats whatever gets no 2xx, and switches off a hook that refuses for
 * days: one that nobody needs here is acknowledged like any other.
 * @returns whether the provider has signed it
 */
async function takeEvent(
  engines: Engines,
  keep: (received: ReceivedEvent) => Promise<void>,
  hook: HookName,
  { body, signature }: { body: Buffer; signature: string },
): Promise<boolean> {
  const heardAtMs = performance.now();
  const event = await engines.payments.verifyHook(hook, body, signature);
  if (event === undefined) return false;
  if (!event.isActedUpon) return true;
  await keep({ hook, event, at: moneyNow(engines) });
  wakeInbox(engines, event.eventId, heardAtMs);
  return true;
}
