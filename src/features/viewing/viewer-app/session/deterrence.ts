import { type AttemptType, attemptOfKey } from './attempt-keys.ts';

/** Typing must work as everywhere; only pictures and the page around them are kept from the hand. */
const isField = (target: EventTarget | null) =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

/** What the page refuses, and as what it is reported. */
const refusals: Readonly<Record<string, AttemptType>> = {
  contextmenu: 'context_menu_attempt',
  dragstart: 'drag_attempt',
  selectstart: 'text_selection_attempt',
  copy: 'copy_attempt',
  cut: 'clipboard_attempt',
  paste: 'clipboard_attempt',
};

/** Keys that the browser keeps to itself: it opens its tools whatever a page says. */
const isOutOfReach = (type: AttemptType) => type === 'screenshot_attempt' || type === 'devtools_attempt';

/**
 * Makes casual copying harder and notes what was tried. It does not make copying impossible, and nothing on the page says so.
 * @param note is called with each attempt
 */
export function deter(until: AbortSignal, note: (type: AttemptType) => void): void {
  const listen = (target: EventTarget, kind: string, listener: (event: Event) => void, capture = false) =>
    target.addEventListener(kind, listener, { capture, signal: until });
  for (const [kind, type] of Object.entries(refusals))
    listen(document, kind, (event) => {
      if (isField(event.target)) return;
      event.preventDefault();
      note(type);
    });
  const press = (event: Event) => {
    const type = attemptOfKey(event as KeyboardEvent);
    if (type === undefined || isField(event.target)) return;
    if (!isOutOfReach(type)) event.preventDefault();
    note(type);
  };
  // Windows tells of its key for pictures of the screen only when it is let go; other systems tell twice of it.
  const isPrint = (event: Event) => (event as KeyboardEvent).key === 'PrintScreen';
  listen(window, 'keydown', (event) => !isPrint(event) && press(event), true);
  listen(window, 'keyup', (event) => isPrint(event) && press(event), true);
  const { documentElement } = document;
  listen(window, 'beforeprint', () => {
    documentElement.toggleAttribute('data-print', true);
    note('save_attempt');
  });
  listen(window, 'afterprint', () => documentElement.toggleAttribute('data-print', false));
}
