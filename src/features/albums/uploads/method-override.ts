import type { FastifyRequest } from 'fastify';

/**
 * A part that comes as a POST, because a network lets no PATCH through (tus 1.0, X-HTTP-Method-Override), is read as what it is.
 * @returns false for any other POST to an upload that has begun
 */
export function isReadAsMeant({ raw, params }: FastifyRequest): boolean {
  if (raw.method !== 'POST' || (params as { id?: string }).id === undefined) return true;
  if (raw.headers['x-http-method-override'] !== 'PATCH') return false;
  raw.method = 'PATCH';
  return true;
}
