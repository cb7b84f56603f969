import type { AddressInfo } from 'node:net';
import type { Person } from '../people.ts';
import { headersOf, type TestApp } from '../test-app.ts';

/** Returns what an upload says of its file, as tus wants it. */
export const uploadMetadata = (said: Record<string, string>): string =>
  Object.entries(said)
    .map(([name, text]) => `${name} ${Buffer.from(text).toString('base64')}`)
    .join(',');

/** One file by the real way, created and sent as tus in one request, to an installation that listens. @returns the upload's id */
export async function sendFile(
  app: TestApp,
  creator: Person,
  albumId: string,
  { name, bytes }: { name: string; bytes: Buffer },
): Promise<{ status: number; id: string }> {
  const { port } = app.fastify.server.address() as AddressInfo;
  const headers = {
    'tus-resumable': '1.0.0',
    'x-csrf-token': 'orpc',
    ...headersOf(creator.browser),
    'upload-length': String(bytes.length),
    'upload-metadata': uploadMetadata({ albumId, filename: name }),
    'content-type': 'application/offset+octet-stream',
  };
  const answer = await fetch(`http://127.0.0.1:${port}/files`, {
    method: 'POST',
    headers,
    body: new Uint8Array(bytes),
  });
  return { status: answer.status, id: answer.headers.get('location')?.split('/').at(-1) ?? '' };
}
