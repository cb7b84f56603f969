import { afterEach, expect, it, vi } from 'vitest';
import { keepFile, mostKeptBytes } from './kept-files.tsx';

afterEach(() => vi.unstubAllGlobals());

it('keeps what a phone has room for twice, and no long film', async () => {
  const open = vi.fn(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  vi.stubGlobal('indexedDB', { open });
  const keep = (size: number) => keepFile({ key: 'k', albumId: 'a', file: { size } as File });
  await keep(mostKeptBytes + 1);
  expect(open).not.toHaveBeenCalled();
  await keep(mostKeptBytes);
  expect(open).toHaveBeenCalledOnce();
});
