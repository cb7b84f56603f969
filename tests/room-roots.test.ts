import { expect, test } from 'vitest';
import { findRootFaults, mostInRoot } from '../scripts/room-roots.ts';

const none = { large: {}, sameNoun: [] };
const rootOf = (count: number) => Array.from({ length: count }, (_, n) => `src/features/links/file-${n}.ts`);

test('a root holds thirty files, and not one more', () => {
  expect(findRootFaults(rootOf(mostInRoot), none)).toEqual([]);
  const fault = 'src/features/links has 31 files in its root, 30 at most';
  expect(findRootFaults(rootOf(mostInRoot + 1), none)).toEqual([fault]);
});

test('tests and files of folders are not counted', () => {
  const more = ['src/features/links/file-1.test.ts', 'src/features/links/pages/a.tsx'];
  expect(findRootFaults([...rootOf(mostInRoot), ...more], none)).toEqual([]);
});

test('a root that is listed may hold as much as is written there, and leaves the list with thirty', () => {
  const known = { large: { links: 33 }, sameNoun: [] };
  expect(findRootFaults(rootOf(33), known)).toEqual([]);
  expect(findRootFaults(rootOf(34), known)).toEqual(['src/features/links has 34 files in its root, 33 at most']);
  expect(findRootFaults(rootOf(30), known)).toEqual([
    'src/features/links has no more than 30 files in its root by now: take it off the list',
  ]);
});

test('a file with the noun of a folder is named, or listed until it is renamed', () => {
  const files = ['src/features/albums/uploads.ts', 'src/features/albums/uploads/tus.ts'];
  const known = { large: {}, sameNoun: ['albums/uploads.ts'] };
  expect(findRootFaults(files, none)).toEqual([
    'src/features/albums/uploads.ts has the noun of a folder beside it: name one of them for what it does',
  ]);
  expect(findRootFaults(files, known)).toEqual([]);
  expect(findRootFaults(['src/features/albums/rules.ts'], known)).toEqual([
    'src/features/albums/uploads.ts is named well by now: take it off the list',
  ]);
});
