import type { FastifyInstance, FastifyReply } from 'fastify';

/** Nothing of an answer that is no page may run, be framed or be fetched by it. */
const policy = "default-src 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/** Returns what no page may ask its browser for, and who may ask for a payment. */
export const permissions = (payment: string): string =>
  `camera=(), microphone=(), geolocation=(), display-capture=(), ${payment}`;

/** What every answer says unless its route says otherwise; pages have policies of their own. */
const always = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': permissions('payment=()'),
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
} as const;

/** The headers of the app. */
export const headersOf = ({ isSecure }: { isSecure: boolean }): Readonly<Record<string, string>> =>
  isSecure ? { ...always, 'strict-transport-security': 'max-age=31536000' } : always;

/** Gives one answer the headers of the app, for answers that no hook sees. */
export function giveHeaders(reply: FastifyReply, installation: { isSecure: boolean }): void {
  reply.headers(headersOf(installation));
}

/**
 * Gives every answer the headers of the app before anything else happens to it: routes that write by themselves (uploads,
 * streams) and refusals have them too.
 */
export function mountHeaders(app: FastifyInstance, installation: { isSecure: boolean }): void {
  app.addHook('onRequest', async (_request, reply) => giveHeaders(reply, installation));
}
