import type { FastifyInstance } from 'fastify';
import type { Mounting } from '#wire/raw.ts';
import { mountAvatars } from './saving-avatars.ts';
import { mountMe } from './sessions/me-route.ts';

/** The raw routes of accounts: who is signed in, and people's pictures. */
export function mountAccounts(app: FastifyInstance, mounting: Mounting): void {
  mountMe(app, mounting.contextOf);
  mountAvatars(app, mounting);
}
