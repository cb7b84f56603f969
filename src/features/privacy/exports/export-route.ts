import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import { isUuid } from '#kit/ids.ts';
import { sendAttachment } from '#wire/attachment.ts';
import { type Mounting, sayRefusal } from '#wire/raw.ts';
import { findExport, findExportKey } from './exports-store.ts';
import { isOpenTo } from './own-export.ts';
import { folderOf, readVolumes } from './volumes.ts';

/** GET /api/account/data/export/:exportId: the zip, in the session that has entered the password for it; a download that broke goes on. */
export function mountExport(app: FastifyInstance, { engines, contextOf }: Mounting): void {
  const config = { who: ['creator', 'admin'] as const, subject: 'export' as const };
  app.get('/api/account/data/export/:exportId', { config }, async (request, reply) => {
    const { exportId } = request.params as { exportId: string };
    const context = contextOf(request, reply);
    const actor = await context.actor();
    if (actor.kind === 'visitor') return sayRefusal(reply, 'UNAUTHENTICATED');
    const found = isUuid(exportId) ? await findReady(engines, exportId, actor, context.now) : undefined;
    if (found === undefined) return sayRefusal(reply, 'NOT_FOUND');
    const { row, key, sizeBytes } = found;
    const day = row.requestedAt.toISOString().slice(0, 10);
    const volumes = { storage: engines.storage, key, folder: folderOf(row.id, row.attempt) };
    const read = (range: { from: number; to: number }) => Readable.from(readVolumes(volumes, sizeBytes, range));
    return sendAttachment(request, reply, {
      name: `PrivateFans ${day}.zip`,
      plainName: `privatefans-${day}.zip`,
      tag: `${row.id}-${row.attempt}`,
      sizeBytes,
      openWhole: async () => read({ from: 0, to: sizeBytes - 1 }),
      openPart: read,
    });
  });
}

async function findReady(
  { database, keys }: Engines,
  exportId: string,
  { userId, sessionId }: { userId: string; sessionId: string },
  now: Date,
) {
  return database.work({ kind: 'user', userId }, async (tx) => {
    const row = await findExport(tx, exportId);
    if (row?.state !== 'ready' || row.sizeBytes === null || row.expiresAt === null || row.expiresAt <= now)
      return undefined;
    if (!isOpenTo(row, sessionId, now)) return undefined;
    const key = await tx.asSystem((higher) => findExportKey(higher, keys, exportId));
    return key && { row, key, sizeBytes: row.sizeBytes };
  });
}
