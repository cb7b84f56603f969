import type { ClientEventType } from '#features/security/contract.ts';

/** A kind of attempt that a browser reports. */
export type AttemptType = ClientEventType;

/** What of a key press is looked at. */
export type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/** Letters with Ctrl or Cmd. */
const withCommand: Readonly<Record<string, AttemptType>> = {
  s: 'save_attempt',
  p: 'save_attempt',
  c: 'copy_attempt',
  x: 'clipboard_attempt',
  v: 'clipboard_attempt',
  u: 'view_source_attempt',
  a: 'select_all_attempt',
};

const toolLetters = new Set(['i', 'j', 'c', 'k', 'e', 'm']);
const macShots = new Set(['Digit3', 'Digit4', 'Digit5', 'Digit6']);

const single: Readonly<Record<string, AttemptType>> = { PrintScreen: 'screenshot_attempt', F12: 'devtools_attempt' };

/** Cmd+Shift+3 to 6 on a Mac; Win+Shift+S, and Ctrl+Shift+S in Firefox. */
const isScreenshot = ({ key, code, metaKey }: Pressed) => (metaKey && macShots.has(code)) || key.toLowerCase() === 's';

/** Alt turns a letter into another sign on a Mac; what was pressed stands in the code. */
const letterOf = ({ key, code, altKey }: Pressed) => (altKey ? code.replace('Key', '') : key).toLowerCase();

const isTools = (pressed: Pressed) => {
  const { ctrlKey, metaKey, shiftKey, altKey } = pressed;
  return ((ctrlKey && shiftKey) || (metaKey && altKey)) && toolLetters.has(letterOf(pressed));
};

/**
 * Returns the attempt that a key press means; undefined for every other key. A system that keeps its shortcuts for pictures of the
 * screen to itself tells no page of them.
 */
export function attemptOfKey(pressed: Pressed): AttemptType | undefined {
  const { key, ctrlKey, metaKey, shiftKey, altKey } = pressed;
  if (key in single) return single[key];
  if (!(ctrlKey || metaKey)) return undefined;
  if (shiftKey && isScreenshot(pressed)) return 'screenshot_attempt';
  if (isTools(pressed)) return 'devtools_attempt';
  return altKey || shiftKey ? undefined : withCommand[key.toLowerCase()];
}
