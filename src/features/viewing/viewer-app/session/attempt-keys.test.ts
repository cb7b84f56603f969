import { expect, it } from 'vitest';
import { attemptOfKey } from './attempt-keys.ts';

const none = { code: '', ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
const ctrl = { ...none, ctrlKey: true };
const cmd = { ...none, metaKey: true };

it.each([
  [{ ...none, key: 'PrintScreen' }, 'screenshot_attempt'],
  [{ ...none, altKey: true, key: 'PrintScreen' }, 'screenshot_attempt'],
  [{ ...cmd, shiftKey: true, key: '#', code: 'Digit3' }, 'screenshot_attempt'],
  [{ ...cmd, shiftKey: true, key: '%', code: 'Digit5' }, 'screenshot_attempt'],
  [{ ...cmd, shiftKey: true, key: 'S', code: 'KeyS' }, 'screenshot_attempt'],
  [{ ...ctrl, shiftKey: true, key: 'S', code: 'KeyS' }, 'screenshot_attempt'],
  [{ ...none, key: 'F12' }, 'devtools_attempt'],
  [{ ...ctrl, shiftKey: true, key: 'I' }, 'devtools_attempt'],
  [{ ...ctrl, shiftKey: true, key: 'C' }, 'devtools_attempt'],
  [{ ...cmd, altKey: true, key: 'ˆ', code: 'KeyI' }, 'devtools_attempt'],
  [{ ...ctrl, key: 's' }, 'save_attempt'],
  [{ ...cmd, key: 'P' }, 'save_attempt'],
  [{ ...ctrl, key: 'c' }, 'copy_attempt'],
  [{ ...ctrl, key: 'x' }, 'clipboard_attempt'],
  [{ ...cmd, key: 'v' }, 'clipboard_attempt'],
  [{ ...ctrl, key: 'u' }, 'view_source_attempt'],
  [{ ...ctrl, key: 'a' }, 'select_all_attempt'],
])('%o means %s', (pressed, type) => {
  expect(attemptOfKey(pressed)).toBe(type);
});

it.each([
  { ...none, key: 's' },
  { ...none, key: 'ArrowRight' },
  { ...ctrl, key: 'r' },
  { ...ctrl, altKey: true, key: 'c', code: 'KeyC' },
  { ...ctrl, shiftKey: true, key: 'T', code: 'KeyT' },
  { ...cmd, shiftKey: true, key: '!', code: 'Digit1' },
])('%o is no attempt', (pressed) => {
  expect(attemptOfKey(pressed)).toBeUndefined();
});
