import type { FastifyInstance } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import { smallPageHeaders } from '#wire/small-page.ts';
import { findRecipient } from '../store.ts';
import { readUnsubscribeToken } from '../unsubscribing.ts';
import { suppressAddress, suppressHash } from './suppressions-store.ts';
import { writeUnsubscribePage } from './unsubscribe-page.ts';

/** `List-Unsubscribe=One-Click`, as a form or in parts; what it says is in the address already. */
const mostBytes = 10_000;

/**
 * GET /unsubscribe/:token asks, POST does it (RFC 8058): by what the token says alone, whoever sends it, with no cookie and no
 * page behind it. Programs that open every link of an email ask by GET and end nothing.
 * @param pageHead links to the styles of the built pages
 */
export async function mountUnsubscribing(app: FastifyInstance, engines: Engines, pageHead: string): Promise<void> {
  const config = { who: ['anybody'] } as const;
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: mostBytes }, (_request, _body, done) => done(null));
    scope.get('/unsubscribe/:token', { config }, async (_request, reply) =>
      reply
        .headers({ ...smallPageHeaders, 'referrer-policy': 'no-referrer' })
        .send(writeUnsubscribePage('asked', pageHead)),
    );
    scope.post('/unsubscribe/:token', { config }, async (request, reply) => {
      const { token } = request.params as { token: string };
      const isDone = await unsubscribe(engines, token);
      return reply
        .code(isDone ? 200 : 404)
        .headers({ ...smallPageHeaders, 'referrer-policy': 'no-referrer' })
        .send(writeUnsubscribePage(isDone ? 'done' : 'unknown', pageHead));
    });
  });
}

/** @returns whether the token is one of ours; the address of an account that was erased since is nobody's */
async function unsubscribe({ database, keys, clock }: Engines, token: string): Promise<boolean> {
  return database.work({ kind: 'system' }, async (tx) => {
    const claim = await readUnsubscribeToken(tx, keys, token);
    if (claim === undefined) return false;
    const why = { reason: 'unsubscribed', now: new Date(clock()) } as const;
    if ('hash' in claim) await suppressHash(tx, { hash: claim.hash, ...why });
    else {
      const address = await findRecipient(tx, claim.emailId);
      if (address !== undefined) await suppressAddress(tx, keys, { address, ...why });
    }
    return true;
  });
}
