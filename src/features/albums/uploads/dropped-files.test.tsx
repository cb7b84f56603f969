import { expect, test } from 'vitest';
import { readDrop } from './dropped-files.tsx';

/** Returns what a browser gives: files, and folders that tell what is in them a few at a time. */
const file = (name: string) => ({
  name,
  isDirectory: false,
  file: (take: (file: File) => void) => take(new File(['x'], name)),
});
const gone = (name: string) => ({ name, isDirectory: false, file: (_: unknown, fail: () => void) => fail() });
const folder = (name: string, within: readonly object[], batch = 2) => ({
  name,
  isDirectory: true,
  createReader: () => {
    let at = 0;
    return {
      readEntries: (take: (entries: object[]) => void) => {
        take(within.slice(at, at + batch));
        at += batch;
      },
    };
  },
});
const drop = (...entries: readonly object[]) => {
  const items = entries.map((entry) => ({ kind: 'file', webkitGetAsEntry: () => entry }));
  const files = entries.map((entry) => new File([], (entry as { name: string }).name));
  return readDrop({ items, files } as unknown as DataTransfer);
};
const namesOf = ({ files }: { files: File[] }) => files.map(({ name }) => name);

test('a folder is walked to its end, in the order of the names, without what file managers leave there', async () => {
  const inner = folder('b', [
    file('IMG_10.jpg'),
    file('IMG_9.jpg'),
    file('.DS_Store'),
    gone('gone.jpg'),
    file('a.mov'),
  ]);
  const dropped = await drop(
    file('first.jpg'),
    folder('Trip', [inner, file('c.jpg'), file('Thumbs.db'), folder('a', [])]),
  );
  expect(dropped.hasFolder).toBe(true);
  expect(namesOf(dropped)).toEqual(['first.jpg', 'a.mov', 'IMG_9.jpg', 'IMG_10.jpg', 'c.jpg']);
});

test('an empty folder has nothing, and is told from no folder', async () => {
  expect(await drop(folder('Empty', [file('.hidden')]))).toEqual({ files: [], hasFolder: true });
  const plain = await drop(file('one.jpg'), file('two.jpg'));
  expect([namesOf(plain), plain.hasFolder]).toEqual([['one.jpg', 'two.jpg'], false]);
});

test('of an endless folder some thousands are taken', async () => {
  const endless = folder(
    'Disk',
    Array.from({ length: 20_000 }, (_, n) => file(`${n}.jpg`)),
    1000,
  );
  expect((await drop(endless)).files.length).toBe(5000);
});
