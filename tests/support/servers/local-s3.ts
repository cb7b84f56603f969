import { mkdirSync } from 'node:fs';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';

/** A small S3 server from npm; it brings no types. */
interface S3rver {
  httpServer: Server;
  run(): Promise<{ port: number }>;
  close(): Promise<void>;
}
const require = createRequire(import.meta.url);
const S3rver = require('@20minutes/s3rver') as new (options: object) => S3rver;

/** How it checks signatures. */
interface Signing {
  getStringToSign(request: { uri: string }, signature: object): string;
}
const signing = require('@20minutes/s3rver/lib/signature/v4.js') as Signing;
const { getStringToSign } = signing;
/** It forgets the slash behind the name of a bucket, with which clients ask and sign for a list. */
signing.getStringToSign = (request, signature) =>
  getStringToSign({ ...request, uri: /^\/[^/]+$/.test(request.uri) ? `${request.uri}/` : request.uri }, signature);

/** An S3 server on this machine with one empty bucket. */
export interface LocalS3 {
  /** What an installation needs to keep its files there. */
  environment: Record<string, string>;
  /** Where it keeps what it was given. */
  bucket: string;
  close(): Promise<void>;
}

/** Starts an S3 server that keeps its bucket under `folder`. */
export async function openLocalS3(folder: string): Promise<LocalS3> {
  const directory = path.join(folder, 's3');
  mkdirSync(directory);
  const options = { address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name: 'pf' }] };
  const server = new S3rver(options);
  const { port } = await server.run();
  return {
    environment: {
      S3_BUCKET: 'pf',
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_REGION: 'us-east-1',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    bucket: path.join(directory, 'pf'),
    async close() {
      const closed = server.close();
      // A call that was given up half-way would be waited for until the server looks for such ones, every 30 seconds.
      server.httpServer.closeAllConnections();
      await closed;
    },
  };
}
