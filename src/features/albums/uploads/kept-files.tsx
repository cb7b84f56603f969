/** A file that was picked and is not whole on the server yet. */
export interface PickedFile {
  key: string;
  albumId: string;
  file: File;
}

/** What a page left behind of a picked file: of a long video only which one it was. */
export interface KeptFile {
  key: string;
  albumId: string;
  name: string;
  sizeBytes: number;
  file?: File;
}

/** The browser's own database, where picked files outlive a reload; undefined where it is denied (private windows). */
function openStore(): Promise<IDBDatabase | undefined> {
  return new Promise((resolve) => {
    try {
      const request = indexedDB.open('pf-uploads', 1);
      request.onupgradeneeded = () => void request.result.createObjectStore('files', { keyPath: 'key' });
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve(undefined);
    } catch {
      resolve(undefined); // denied: after a reload each open upload asks to choose its file again
    }
  });
}

async function run<T>(mode: IDBTransactionMode, act: (files: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined> {
  const store = await openStore();
  if (store === undefined) return undefined;
  try {
    return await new Promise((resolve, reject) => {
      const request = act(store.transaction('files', mode).objectStore('files'));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } catch {
    return undefined; // full or gone: the upload itself does not depend on it
  } finally {
    store.close();
  }
}

/** A phone may have no room for a second copy of a long video: after a reload, before which the page asks, its file is chosen again. */
export const mostKeptBytes = 256 * 2 ** 20;

/** Keeps a picked file for after a reload, as far as its size and the browser allow. */
export async function keepFile({ key, albumId, file }: PickedFile): Promise<void> {
  const { name, size: sizeBytes } = file;
  const kept: KeptFile = { key, albumId, name, sizeBytes, ...(sizeBytes <= mostKeptBytes && { file }) };
  await run('readwrite', (files) => files.put(kept));
}

/** Lets a file go that is whole on the server or was removed from the list. */
export const forgetFile = (key: string) => run('readwrite', (files) => files.delete(key));

/** The files of an album that a page left behind. */
export async function findKeptFiles(albumId: string): Promise<KeptFile[]> {
  const all = (await run('readonly', (files) => files.getAll() as IDBRequest<KeptFile[]>)) ?? [];
  return all.filter((kept) => kept.albumId === albumId);
}
