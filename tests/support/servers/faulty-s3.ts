import { createHash } from 'node:crypto';
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the proxy in front of the S3 server does to a call instead of passing it on. */
export type Fault =
  | 'error'
  | 'slow down'
  | 'forbidden'
  | 'cut answer'
  | 'wrong length'
  | 'too few bytes'
  | 'cut call'
  | 'late missing'
  | 'lost'
  | 'dawdle';
export const faults: readonly Fault[] = [
  'error',
  'slow down',
  'forbidden',
  'cut answer',
  'wrong length',
  'too few bytes',
  'cut call',
  'late missing',
  'lost',
  'dawdle',
];
/** A proxy in front of an S3 server that does what it is told. */
export interface FaultyS3 {
  /** Where to find it. */
  endpoint: string;
  /** What is done to the next call; nothing at the beginning. */
  plant(next: (call: IncomingMessage) => Fault | undefined): void;
  counts(): { calls: number; planted: number };
  close(): void;
}

/** Stands before the S3 server of an address. */
export async function openFaultyS3(s3: string): Promise<FaultyS3> {
  let next: Parameters<FaultyS3['plant']>[0] = () => undefined;
  let [calls, planted] = [0, 0];
  const proxy = createServer((call, answer) => {
    calls++;
    const fault = next(call);
    if (fault !== undefined) planted++;
    pass(call, answer, fault, new URL(s3).port);
  }).listen(0, '127.0.0.1');
  await new Promise((done) => proxy.once('listening', done));
  return {
    endpoint: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    plant(wanted) {
      next = wanted;
    },
    counts: () => ({ calls, planted }),
    close() {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}

const errors: Partial<Record<Fault, [number, string]>> = {
  error: [500, 'InternalError'],
  'slow down': [503, 'SlowDown'],
  forbidden: [403, 'AccessDenied'],
  'late missing': [404, 'NoSuchKey'],
};

/** Does to one call what was asked for, or passes it on. */
function pass(call: IncomingMessage, answer: ServerResponse, fault: Fault | undefined, s3Port: string): void {
  const [status, code] = errors[fault ?? 'lost'] ?? [];
  if (status !== undefined) {
    call.resume();
    answer.writeHead(status, { 'content-type': 'application/xml' });
    answer.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>planted</Message></Error>`);
    return;
  }
  if (fault === 'cut call') return void call.socket.destroy();
  if (fault === 'lost' && call.method === 'PUT') return void throwAway(call, answer);
  const { method, url, headers } = call;
  const onward = ask({ host: '127.0.0.1', port: s3Port, method, path: url, headers }, (reply) => {
    if (method === 'GET' && (fault === 'wrong length' || fault === 'too few bytes'))
      return void shorten(reply, answer, fault === 'wrong length');
    answer.writeHead(reply.statusCode ?? 500, reply.headers);
    if (fault !== 'cut answer' || method === 'HEAD') return void reply.pipe(answer);
    reply.once('data', (bytes: Buffer) => answer.write(bytes.subarray(0, 100), () => answer.destroy()));
    reply.once('end', () => answer.destroy());
  });
  onward.on('error', () => answer.destroy());
  if (fault === 'dawdle') setTimeout(() => call.pipe(onward), 700);
  else call.pipe(onward);
}

/** Answers as if it were stored. */
function throwAway(call: IncomingMessage, answer: ServerResponse): void {
  const hash = createHash('md5');
  call.on('data', (bytes: Buffer) => hash.update(bytes));
  call.on('end', () => answer.writeHead(200, { etag: `"${hash.digest('hex')}"` }).end());
}

/** Passes half of an answer on: as if that were all of it, or after promising all of it. */
function shorten(reply: IncomingMessage, answer: ServerResponse, isSaidAsWhole: boolean): void {
  const chunks: Buffer[] = [];
  reply.on('data', (bytes: Buffer) => chunks.push(bytes));
  reply.on('end', () => {
    const whole = Buffer.concat(chunks);
    const half = whole.subarray(0, whole.length / 2);
    answer.writeHead(reply.statusCode ?? 500, {
      ...reply.headers,
      'content-length': isSaidAsWhole ? half.length : whole.length,
    });
    answer.write(half, () => (isSaidAsWhole ? answer.end() : answer.destroy()));
  });
}
