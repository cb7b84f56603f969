import type { FastifyInstance } from 'fastify';
import type { Mounting } from '#wire/raw.ts';
import { mountExport } from './exports/export-route.ts';

/** Mounts the raw route of the room: the download of an export. */
export function mountPrivacy(app: FastifyInstance, mounting: Mounting): void {
  mountExport(app, mounting);
}
