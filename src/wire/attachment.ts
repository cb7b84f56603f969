import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteRange } from '#engines/storage/storage.ts';
import { readAskedRange } from './asked-range.ts';

/** A file that never changes under its tag, and how its bytes are read. */
export interface Attachment {
  /** As the browser saves it. */
  name: string;
  /** The same for a browser that reads only ASCII. */
  plainName: string;
  /** Changes with its bytes. */
  tag: string;
  sizeBytes: number;
  openWhole(): Promise<Readable>;
  openPart(range: ByteRange): Readable;
}

/** Sends a file to be saved, whole or the one part that is asked for, so that a download that broke goes on. */
export async function sendAttachment(
  request: FastifyRequest,
  reply: FastifyReply,
  file: Attachment,
): Promise<FastifyReply> {
  const { name, plainName, tag, sizeBytes } = file;
  const range = findRange(request, `"${tag}"`, sizeBytes);
  reply.headers({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${plainName}"; filename*=UTF-8''${encodeName(name)}`,
    'accept-ranges': 'bytes',
    etag: `"${tag}"`,
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
  });
  if (range === 'none') return reply.header('content-range', `bytes */${sizeBytes}`).code(416).send(Buffer.alloc(0));
  if (range === undefined) return reply.header('content-length', sizeBytes).send(await file.openWhole());
  return reply
    .code(206)
    .headers({
      'content-range': `bytes ${range.from}-${range.to}/${sizeBytes}`,
      'content-length': range.to - range.from + 1,
    })
    .send(file.openPart(range));
}

/** Finds the part that is asked for; all of it where a part of another file was meant (`If-Range`). */
function findRange({ headers }: FastifyRequest, tag: string, sizeBytes: number) {
  const meant = headers['if-range'];
  return meant === undefined || meant === tag ? readAskedRange(headers.range, sizeBytes) : undefined;
}

const encodeName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
