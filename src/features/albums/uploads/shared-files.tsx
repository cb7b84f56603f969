import { useEffect, useEffectEvent } from 'react';
import { useSearchParams } from 'react-router';

/** Where the service worker puts what a gallery shared with the app; the same name as in `public/sw.js`. */
const cacheName = 'pf-shared';

const hasCaches = () => 'caches' in globalThis;

async function readShared(): Promise<File[]> {
  const shared = await caches.open(cacheName);
  const files: File[] = [];
  for (const request of await shared.keys()) {
    const kept = await shared.match(request);
    if (kept === undefined) continue;
    const { headers } = kept;
    const name = decodeURIComponent(headers.get('pf-name') ?? 'shared');
    files.push(new File([await kept.blob()], name, { type: headers.get('content-type') ?? '' }));
  }
  return files;
}

/** Takes the files that were shared with the app, each once. */
async function takeSharedFiles(): Promise<File[]> {
  if (!hasCaches()) return [];
  const files = await readShared().catch(() => []);
  await forgetSharedFiles();
  return files;
}

/** They are wanted in no album. */
export async function forgetSharedFiles(): Promise<void> {
  if (hasCaches()) await caches.delete(cacheName).catch(() => false);
}

/** An album that was chosen for shared files, `?shared=1`, takes them. */
export function useSharedFiles(take: (files: readonly File[]) => void): void {
  const [search, setSearch] = useSearchParams();
  const isAsked = search.has('shared');
  const receive = useEffectEvent(async () => {
    setSearch({}, { replace: true });
    const files = await takeSharedFiles();
    if (files.length > 0) take(files);
  });
  useEffect(() => {
    if (isAsked) void receive();
  }, [isAsked]);
}
