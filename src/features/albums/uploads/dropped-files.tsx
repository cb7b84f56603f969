/** What was dropped: its files, those in folders too. */
export interface Dropped {
  files: File[];
  hasFolder: boolean;
}

/** Of a folder with more files than that, nobody wants to wait for the list of all. */
const mostListed = 5000;
/** What file managers leave in every folder. */
const leftBehind = /^\.|^(thumbs\.db|desktop\.ini)$/i;
const { compare } = new Intl.Collator(undefined, { numeric: true });

/** Reads a drop; folders are walked in the order of their names. It must be called while the event lasts: later nothing can be asked of it. */
export function readDrop({ files, items }: Pick<DataTransfer, 'files' | 'items'>): Promise<Dropped> {
  const entries = [...items].flatMap((item) => (item.kind === 'file' && item.webkitGetAsEntry?.()) || []);
  if (!entries.some(({ isDirectory }) => isDirectory)) return Promise.resolve({ files: [...files], hasFolder: false });
  return walk(entries, []).then((found) => ({ files: found, hasFolder: true }));
}

async function walk(entries: readonly FileSystemEntry[], found: File[]): Promise<File[]> {
  for (const entry of entries) {
    if (found.length >= mostListed) return found;
    if (isFolder(entry)) await walk(await listFolder(entry), found);
    else found.push(...(await readFile(entry as FileSystemFileEntry)));
  }
  return found;
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** A browser tells a folder's entries by the hundred. One that cannot be read is an empty one. */
async function listFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const next = () => new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])));
  const all: FileSystemEntry[] = [];
  for (let some = await next(); some.length > 0 && all.length < mostListed; some = await next()) all.push(...some);
  return all.filter(({ name }) => !leftBehind.test(name)).sort((one, other) => compare(one.name, other.name));
}

const readFile = (entry: FileSystemFileEntry): Promise<File[]> =>
  new Promise((resolve) => {
    entry.file(
      (file) => resolve([file]),
      () => resolve([]),
    );
  });
