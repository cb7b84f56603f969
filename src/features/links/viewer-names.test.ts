import { expect, test } from 'vitest';
import { nameViewer } from './viewer-names.ts';

test('a viewer bears the name that the creator gave, or the end of their number', () => {
  expect(nameViewer('01a1fe8d-3112-7987-9935-8dc02ff24f2a', null)).toBe('Viewer 4F2A');
  expect(nameViewer('01a1fe8d-3112-7987-9935-8dc02ff24f2a', 'Lena')).toBe('Lena');
});
