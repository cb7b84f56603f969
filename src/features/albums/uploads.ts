import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { FileStore } from '@tus/file-store';
import { EVENTS, type Locker, Server as Tus } from '@tus/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import { ingestFile } from '#features/media/ingest.ts';
import { sendMedium } from '#features/media/queues.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { isUuid, newId } from '#kit/ids.ts';
import { type Context, hasAccess } from '#wire/context.ts';
import { sayRefusal } from '#wire/raw.ts';
import { type RefusalCode, refusals } from '#wire/refusals.ts';
import { insertUploaded } from './items/items-store.ts';
import { readMetadata, readNoted, removeStaged, sizeOfStaged } from './staging.ts';
import { admit, type Call } from './uploads/admission.ts';
import { endByHead } from './uploads/end-by-head.ts';
import { isReadAsMeant } from './uploads/method-override.ts';
import { openUploadLocks } from './uploads/upload-locks.ts';
import { refusal, refusalOfUpload } from './uploads/upload-refusals.ts';
import { expiryOf } from './uploads/upload-rules.ts';
import {
  endUpload,
  findOpen,
  findUpload,
  listUnended,
  nameMedium,
  prolongUpload,
  stagingOf,
  type UploadRow,
} from './uploads-store.ts';

/**
 * Turns a whole staged file into a medium of its album; safe to repeat after a crash. The staged file stays for its caller
 * to remove: tus looks at it once more before it answers.
 * @returns false when the bytes are not those that were sent
 */
export async function finishUpload(
  engines: Engines,
  row: UploadRow,
  declaredSha256: string | undefined,
  now: Date,
): Promise<boolean> {
  const file = path.join(stagingOf(engines.installation.dataDir), row.id);
  const { id, creator_id: creatorId, original_name: originalName, bytes: sizeBytes } = row;
  const staged = { id, creatorId, originalName, sizeBytes, path: file, declaredSha256 };
  const outcome = await ingestFile(engines, staged, now, {
    claim: (tx) => endUpload(tx, id, { state: 'complete' }),
    also: async (tx, kind) => {
      await nameMedium(tx, id, id);
      if (row.album_id !== null) await insertUploaded(tx, row.album_id, creatorId, id, now);
      await sendMedium(engines, tx, { mediaId: id, creatorId, kind });
      const album = row.album_id === null ? {} : { albumId: row.album_id };
      await tx.publish({ kind: 'media.uploaded', creatorId, mediaId: id, ...album });
    },
  });
  if (outcome !== 'damaged') return true;
  await engines.database.work({ kind: 'system' }, (tx) => endUpload(tx, id, { state: 'aborted', failCode: 'CORRUPT' }));
  await removeStaged(engines.installation.dataDir, id);
  return false;
}

/**
 * Ingests what was whole when a process died, and removes what nobody continued for a day. One that cannot be taken over holds up no
 * other. @throws the first trouble when all others are done
 */
export async function sweepUploads(engines: Engines, now: Date): Promise<void> {
  const { dataDir } = engines.installation;
  const trouble: unknown[] = [];
  for (const row of await engines.database.work({ kind: 'system' }, (tx) => listUnended(tx)))
    try {
      await endStaged(engines, row, now);
    } catch (error) {
      // Taken over and tidied up by its own request meanwhile: there is nothing left to do.
      const open = await engines.database.work({ kind: 'system' }, (tx) => findOpen(tx, [row.id]));
      if (!open.has(row.id)) continue;
      engines.log.warn({ upload: row.id, err: error }, 'an upload cannot be taken over yet');
      trouble.push(error);
    }
  // What is left in staging of an upload that has ended: its process died before it could tidy up.
  const files = await readdir(stagingOf(dataDir)).catch(() => []);
  const staged = [...new Set(files.map((file) => file.split('.')[0] ?? ''))];
  const open = await engines.database.work({ kind: 'system' }, (tx) => findOpen(tx, staged.filter(isUuid)));
  for (const id of staged) if (!open.has(id)) await removeStaged(dataDir, id);
  if (trouble.length > 0) throw trouble[0];
}

async function endStaged(engines: Engines, row: UploadRow, now: Date): Promise<void> {
  const { dataDir } = engines.installation;
  if ((await sizeOfStaged(dataDir, row.id)) === row.bytes)
    await finishUpload(engines, row, readMetadata(await readNoted(dataDir, row.id)).sha256, now);
  else if (row.expires_at <= now)
    await engines.database.work({ kind: 'system' }, (tx) => endUpload(tx, row.id, { state: 'expired' }));
}

function openTus(engines: Engines, calls: AsyncLocalStorage<Call>, locker: Locker): Tus {
  const directory = stagingOf(engines.installation.dataDir);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const calling = (): Call => {
    const call = calls.getStore();
    if (call === undefined) throw new Error('tus was called outside a request.');
    return call;
  };
  const tus = new Tus({
    path: '/files',
    // When an upload is over its row says: the store would count from its beginning, not from its last part.
    datastore: new FileStore({ directory }),
    locker,
    maxSize: 4 * 2 ** 30,
    relativeLocation: true,
    respectForwardedHeaders: false,
    // By itself tus lets every site's scripts read what it answers.
    allowedOrigins: () => false,
    namingFunction: () => newId(engines.clock()),
    // By itself tus takes the last word of the whole address, query and all: not the one that was authorised.
    getFileIdFromRequest: () => calling().uploadId,
    onUploadCreate: async (_request, upload) => {
      const call = calling();
      await admit(call, upload.id, upload.size, upload.metadata);
      call.admittedId = upload.id;
      return {};
    },
    onUploadFinish: async (_request, upload) => {
      const { context, actor } = calling();
      const row = await engines.database.work({ kind: 'user', userId: actor.userId }, (tx) =>
        findUpload(tx, upload.id),
      );
      if (row === undefined || row.state !== 'open') throw refusal('UPLOAD_EXPIRED');
      if (await finishUpload(engines, row, readMetadata(upload.metadata).sha256, context.now)) return {};
      throw refusal('VALIDATION', 'This file is damaged – try exporting it again');
    },
    onResponseError: (_request, error) =>
      refusalOfUpload(error, calls.getStore()?.context.requestId ?? '', engines.log),
  });
  tus.on(EVENTS.POST_FINISH, (_request, _answer, { id }) => void removeStaged(engines.installation.dataDir, id));
  return tus;
}

/** Who uploads, and whether this very upload is theirs; undefined after an answer was sent. */
async function authorise(request: FastifyRequest, reply: FastifyReply, context: Context): Promise<Call | undefined> {
  const say = (code: RefusalCode, status: number = refusals[code].status) =>
    void reply.code(status).send({ code, message: refusals[code].message });
  const actor = await context.actor();
  if (actor.kind === 'visitor') return say('UNAUTHENTICATED') as undefined;
  const { access } = actor;
  if (access.isStopped || !hasAccess(access)) return say('SUBSCRIPTION_REQUIRED') as undefined;
  if (!access.isSetUp) return say('SETUP_REQUIRED') as undefined;
  const { id } = request.params as { id?: string };
  if (id === undefined) return { context, actor };
  const row = await findOwn(context, actor.userId, id);
  if (row === undefined) return say('NOT_FOUND') as undefined;
  return (await isAnswered(request, reply, context, row)) ? undefined : { context, actor, uploadId: row.id };
}

/** Answers what tus need not be asked for. */
async function isAnswered(
  request: FastifyRequest,
  reply: FastifyReply,
  context: Context,
  row: UploadRow,
): Promise<boolean> {
  const say = (code: RefusalCode, message: string = refusals[code].message) => {
    void reply.code(refusals[code].status).send({ code, message });
    return true;
  };
  const sayComplete = () => {
    answerComplete(request, reply, row);
    return true;
  };
  if (row.state === 'complete') return sayComplete();
  if (row.state !== 'open' || row.expires_at <= context.now) return say('UPLOAD_EXPIRED');
  if (request.method === 'PATCH') {
    if (!(await goOn(context, row))) return say('UNAVAILABLE');
    const refused = await endByHead(context.engines, row);
    if (refused !== undefined) return say(refused.code, refused.message);
  }
  return request.method === 'HEAD' && (await finishWhole(context, row)) ? sayComplete() : false;
}

/** The upload of this id when it is this creator's. */
const findOwn = async ({ engines }: Context, userId: string, id: string): Promise<UploadRow | undefined> =>
  isUuid(id) ? engines.database.work({ kind: 'user', userId }, (tx) => findUpload(tx, id)) : undefined;

/**
 * Takes over a file that is whole in staging but could not be taken over when its last part came. A browser that hears that
 * all of it is here thinks that it has become a medium.
 */
async function finishWhole({ engines, now }: Context, row: UploadRow): Promise<boolean> {
  const { dataDir } = engines.installation;
  if ((await sizeOfStaged(dataDir, row.id)) !== row.bytes) return false;
  if (!(await finishUpload(engines, row, readMetadata(await readNoted(dataDir, row.id)).sha256, now))) return false;
  await removeStaged(dataDir, row.id);
  return true;
}

/**
 * Another part comes: the upload lives on.
 * @returns false when it lies with another process. Asked again, the browser looks how far it came, and begins again where
 * nothing is
 */
async function goOn({ engines, now }: Context, { id, creator_id: userId }: UploadRow): Promise<boolean> {
  if ((await sizeOfStaged(engines.installation.dataDir, id)) === undefined) return false;
  const expiresAt = expiryOf(await settingsOf(engines), now);
  await engines.database.work({ kind: 'user', userId }, (tx) => prolongUpload(tx, id, expiresAt));
  return true;
}

/** A lost last answer does not send the file again: the whole of it is known to be here. */
function answerComplete(request: FastifyRequest, reply: FastifyReply, { bytes }: UploadRow): void {
  const length = { 'upload-offset': bytes, 'upload-length': bytes };
  reply.headers({ 'tus-resumable': '1.0.0', ...length, 'cache-control': 'no-store' });
  void reply.code(request.method === 'HEAD' ? 200 : 204).send();
}

/** The creator took the file out of the list, and tus has removed its bytes; or there was no place to begin it in. */
async function abort({ database }: Engines, { actor }: Call, id: string): Promise<void> {
  await database.work({ kind: 'user', userId: actor.userId }, (tx) => endUpload(tx, id, { state: 'aborted' }));
}

/** Mounts resumable uploads (tus 1.0) under /files. */
export async function mountUploads(
  app: FastifyInstance,
  engines: Engines,
  contextOf: (request: FastifyRequest, reply: FastifyReply) => Context,
): Promise<void> {
  const calls = new AsyncLocalStorage<Call>();
  const { locker, close } = openUploadLocks(engines);
  app.addHook('onClose', close);
  const tus = openTus(engines, calls, locker);
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!isReadAsMeant(request)) return sayRefusal(reply, 'NOT_FOUND');
    const call = await authorise(request, reply, contextOf(request, reply));
    if (call === undefined) return reply;
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    reply.hijack();
    await calls.run(call, () => tus.handle(request.raw, reply.raw));
    const { statusCode } = reply.raw;
    const { uploadId, admittedId } = call;
    if (request.method === 'DELETE' && statusCode === 204 && uploadId !== undefined)
      await abort(engines, call, uploadId);
    // Its browser has heard of none, so nobody goes on with it: its space is free again.
    if (admittedId !== undefined && statusCode !== 201) await abort(engines, call, admittedId);
  };
  await app.register(async (scope) => {
    // tus reads the body itself: no parser of Fastify's may have been there before.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
    scope.addHook('onRequest', async ({ url }, reply) => {
      if (/[?#]/.test(url))
        return sayRefusal(reply, 'VALIDATION', { message: 'The address of an upload has no query.' });
    });
    // To tus a server's error at HEAD means that the upload is lost and begins again; 423 means: ask again later.
    scope.addHook('onSend', async (request, reply) => {
      if (request.method === 'HEAD' && reply.statusCode >= 500) reply.code(423);
    });
    const answered = { config: { who: ['creator', 'admin'], subject: 'upload' }, handler: answer } as const;
    scope.route({ method: ['POST', 'OPTIONS'], url: '/files', ...answered });
    scope.route({ method: ['HEAD', 'PATCH', 'POST', 'DELETE', 'OPTIONS'], url: '/files/:id', ...answered });
  });
}
