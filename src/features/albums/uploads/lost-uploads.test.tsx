import { afterAll, describe, expect, it, vi } from 'vitest';
import type { KeptFile } from './kept-files.tsx';
import { findAsking, sortKept } from './lost-uploads.tsx';

/** What a browser has, and the server behind it. */
const server = vi.hoisted(() => {
  const reported = { answers: {} as Record<string, unknown>, asked: [] as string[] };
  vi.stubGlobal('window', { location: new URL('http://localhost:3000/albums') });
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    reported.asked.push(pathname);
    return Response.json({ json: reported.answers[pathname] });
  });
  return reported;
});

// Tests of other files run in the same process, and OpenCV takes a window for a browser.
afterAll(() => void vi.unstubAllGlobals());

const sizeBytes = 2e9;
const kept = (name: string, more: Partial<KeptFile> = {}): KeptFile => ({
  key: name,
  albumId: 'a',
  name,
  sizeBytes,
  ...more,
});
const namesOf = (files: readonly { name: string }[]) => files.map(({ name }) => name);

describe('a long video that a page left behind', () => {
  const there = [
    { originalName: 'begun.mov', sizeBytes, receivedBytes: 1e9 },
    { originalName: 'sent.mov', sizeBytes, receivedBytes: sizeBytes },
    { originalName: 'in the album.mov', sizeBytes },
    { originalName: 'longer.mov', sizeBytes: sizeBytes + 1 },
  ];

  it('waits to be sent only where the server knows nothing of it, whether it is still coming, being taken over or in its album', () => {
    const videos = ['begun.mov', 'sent.mov', 'in the album.mov', 'waiting.mov', 'longer.mov'].map((name) => kept(name));
    const { waiting, known } = sortKept(videos, there);
    expect(namesOf(waiting)).toEqual(['waiting.mov', 'longer.mov']);
    expect(namesOf(known)).toEqual(['begun.mov', 'sent.mov', 'in the album.mov']);
  });

  it('is not asked for when the album holds it, and its upload is over', async () => {
    const items = [
      { ...there[2], state: 'ready' },
      { originalName: 'failed.mov', sizeBytes, state: 'failed' },
    ];
    server.answers = { '/rpc/albums/openUploads': [], '/rpc/albums/one': { items } };
    const videos = ['in the album.mov', 'waiting.mov', 'failed.mov'].map((name) => kept(name));
    expect(namesOf(await findAsking('a', videos, []))).toEqual(['waiting.mov', 'failed.mov']);
    expect(server.asked.splice(0)).toEqual(Object.keys(server.answers));
    expect(await findAsking('a', [], []), 'nothing was picked').toEqual([]);
    expect(server.asked).toEqual(['/rpc/albums/openUploads']);
  });

  it('is not meant where its file was kept as well: that goes on by itself', () => {
    const photo = kept('photo.jpg', { file: new File(['x'], 'photo.jpg') });
    expect(sortKept([photo], there)).toEqual({ waiting: [], known: [] });
  });
});
