import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { withoutCredentials } from '#kit/without-credentials.ts';
import { type ByteRange, checkPath, type Storage, StorageAway, StorageMissing } from './storage.ts';

export interface S3Settings {
  bucket: string;
  /** Address of a server that is not Amazon's. */
  endpoint?: string | undefined;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** What a server says about one file to whoever asks for it; everything else is about the server. */
const answers = ['NoSuchKey', 'NotFound', 'InvalidRange'];
const asking = [GetObjectCommand, HeadObjectCommand, DeleteObjectCommand];

/** Streams go up in parts of this size, held in memory one at a time; S3 takes no smaller ones than 5 MiB. */
const partBytes = 8 * 1024 * 1024;

const hasName = (error: unknown, ...names: string[]) => names.includes((error as { name?: string }).name ?? '');
const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('base64');

interface Bucket {
  /** @throws StorageAway when the server cannot do it now, also after the client's own three tries */
  send: S3Client['send'];
  at(path: string): { Bucket: string; Key: string };
}

/** Storage in a bucket of an S3 server. Bytes travel as whole buffers whose MD5 the server checks. */
export function openS3Storage(settings: S3Settings): Storage {
  const { bucket: name, endpoint, region } = settings;
  const client = connect(settings);
  const send = ((command: Parameters<S3Client['send']>[0]) =>
    client.send(command).catch((error: unknown) => {
      const isAnswer = asking.some((kind) => command instanceof kind) && hasName(error, ...answers);
      throw isAnswer ? error : new StorageAway(error);
    })) as S3Client['send'];
  const bucket: Bucket = { send, at: (path) => ({ Bucket: name, Key: checkPath(path) }) };
  return {
    place: withoutCredentials(`bucket ${name} at ${endpoint ?? `Amazon S3, ${region}`}`),
    async put(path, bytes, sizeBytes) {
      if (Buffer.isBuffer(bytes)) return putWhole(bucket, path, bytes);
      const parts = partsOf(bytes);
      const { value: first = Buffer.alloc(0) } = await parts.next();
      if (first.length === partBytes) return putParts(bucket, path, joined(first, parts), sizeBytes);
      checkAnnounced(first.length, sizeBytes);
      await putWhole(bucket, path, first);
    },
    async read(path, range) {
      if (range !== undefined) return readRange(bucket, path, range);
      const { body, sizeBytes } = await find(bucket, path);
      const bytes = await collect(body);
      if (bytes.length !== sizeBytes) throw new StorageAway(new Error(`${bytes.length} of ${sizeBytes} bytes came`));
      return bytes;
    },
    open: async (path) => (await find(bucket, path)).body,
    remove: (path) => removeObject(bucket, path),
    async *list(prefix) {
      let next: string | undefined;
      do {
        const page = await bucket.send(
          new ListObjectsV2Command({ Bucket: name, Prefix: prefix, ContinuationToken: next }),
        );
        for (const { Key } of page.Contents ?? []) if (Key !== undefined) yield Key;
        next = page.NextContinuationToken;
      } while (next !== undefined);
    },
    freeBytes: async () => undefined,
  };
}

function connect({ endpoint, region, accessKeyId, secretAccessKey }: S3Settings): S3Client {
  return new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    credentials: { accessKeyId, secretAccessKey },
    // By default checksums are sent as trailers of a chunked body, which other servers store as part of the file.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Without the last word a request that takes too long is only written about.
    requestHandler: {
      connectionTimeout: 5000,
      socketTimeout: 20_000,
      requestTimeout: 60_000,
      throwOnRequestTimeout: true,
    },
  });
}

/** @throws StorageAway when the line breaks on the way */
async function collect(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of body) chunks.push(chunk as Buffer);
  } catch (error) {
    throw new StorageAway(error);
  }
  return Buffer.concat(chunks);
}

async function find({ send, at }: Bucket, path: string, range?: string) {
  try {
    const answer = await send(new GetObjectCommand({ ...at(path), Range: range }));
    return { body: answer.Body as Readable, sizeBytes: answer.ContentLength ?? 0, range: answer.ContentRange };
  } catch (error) {
    throw hasName(error, 'NoSuchKey') ? new StorageMissing(path) : error;
  }
}

/** Some servers say that what is not there cannot be removed; they are believed when it is not there. */
async function removeObject({ send, at }: Bucket, path: string): Promise<void> {
  try {
    await send(new DeleteObjectCommand(at(path)));
  } catch (error) {
    if (!hasName(error, ...answers)) throw error;
    const isThere = await send(new HeadObjectCommand(at(path))).then(
      () => true,
      (missing: unknown) => {
        if (hasName(missing, ...answers)) return false;
        throw missing;
      },
    );
    if (isThere) throw new StorageAway(error);
  }
}

/** A server may answer more than was asked for (RFC 9110 §14.2): what is too much is cut off. */
async function readRange(bucket: Bucket, path: string, { from, to }: ByteRange): Promise<Buffer> {
  const wanted = to - from + 1;
  const tooShort = (bytes: number) => new StorageAway(new Error(`${bytes} of ${wanted} bytes came`));
  const found = await find(bucket, path, `bytes=${from}-${to}`).catch((error: unknown) => {
    throw hasName(error, 'InvalidRange') ? tooShort(0) : error;
  });
  if (!found.range?.startsWith(`bytes ${from}-`)) throw new Error('The S3 server does not answer ranges.');
  // Some servers send one byte more than was asked for.
  const bytes = await collect(Readable.from(firstOf(found.body, wanted), { objectMode: false }));
  if (bytes.length !== wanted) throw tooShort(bytes.length);
  return bytes;
}

async function putWhole(bucket: Bucket, path: string, bytes: Buffer): Promise<void> {
  const { ETag } = await bucket.send(new PutObjectCommand({ ...bucket.at(path), Body: bytes, ContentMD5: md5(bytes) }));
  await checkStored(bucket, path, bytes.length, ETag);
}

/** Compares the stored length; a file with another tag was put by somebody else meanwhile and is left alone. */
async function checkStored(
  { send, at }: Bucket,
  path: string,
  sizeBytes: number,
  tag: string | undefined,
): Promise<void> {
  const { ContentLength, ETag } = await send(new HeadObjectCommand(at(path))).catch((error: unknown) => {
    // It was answered as stored and is not there.
    throw hasName(error, 'NotFound', 'NoSuchKey') ? new StorageAway(error) : error;
  });
  if (ContentLength === sizeBytes || ETag !== tag) return;
  await removeObject({ send, at }, path);
  throw new StorageAway(new Error(`The S3 server stored ${ContentLength} bytes where ${sizeBytes} were sent.`));
}

/** Nothing is visible under the path before the last part is there and the whole has been found complete. */
async function putParts(
  bucket: Bucket,
  path: string,
  parts: AsyncIterable<Buffer>,
  announced: number | undefined,
): Promise<void> {
  const { send, at } = bucket;
  const { UploadId } = await send(new CreateMultipartUploadCommand(at(path)));
  const upload = { ...at(path), UploadId };
  const tags: { ETag: string | undefined; PartNumber: number }[] = [];
  let sent = 0;
  let whole: string | undefined;
  try {
    for await (const part of parts) {
      const PartNumber = tags.length + 1;
      const { ETag } = await send(new UploadPartCommand({ ...upload, PartNumber, Body: part, ContentMD5: md5(part) }));
      tags.push({ ETag, PartNumber });
      sent += part.length;
    }
    checkAnnounced(sent, announced);
    const stored = await send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: tags } }));
    whole = stored.ETag;
  } catch (error) {
    await send(new AbortMultipartUploadCommand(upload)).catch(() => undefined); // the first error is the one to tell
    throw error;
  }
  await checkStored(bucket, path, sent, whole);
}

function checkAnnounced(sizeBytes: number, announced: number | undefined): void {
  if (announced !== undefined && sizeBytes !== announced)
    throw new Error(`${sizeBytes} bytes came where ${announced} were announced.`);
}

/** The stream in buffers of exactly `partBytes`, only the last one shorter. */
async function* partsOf(stream: Readable): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size < partBytes) continue;
    const all = Buffer.concat(chunks);
    let from = 0;
    for (; size - from >= partBytes; from += partBytes) yield all.subarray(from, from + partBytes);
    chunks = [all.subarray(from)];
    size -= from;
  }
  if (size > 0) yield Buffer.concat(chunks);
}

async function* joined(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

async function* firstOf(stream: Readable, sizeBytes: number): AsyncGenerator<Buffer> {
  let left = sizeBytes;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}
