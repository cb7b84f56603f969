import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deter } from './deterrence.ts';

class Field extends EventTarget {}
const marks = new Set<string>();
const noted: string[] = [];
let page: EventTarget;
let frame: EventTarget;
let over: AbortController;

beforeEach(() => {
  [page, frame, over] = [new EventTarget(), new EventTarget(), new AbortController()];
  noted.length = 0;
  const toggleAttribute = (name: string, isOn: boolean) => (isOn ? marks.add(name) : marks.delete(name));
  vi.stubGlobal('document', Object.assign(page, { documentElement: { toggleAttribute } }));
  vi.stubGlobal('window', frame);
  vi.stubGlobal('HTMLInputElement', Field);
  vi.stubGlobal('HTMLTextAreaElement', class {});
  deter(over.signal, (type) => noted.push(type));
});
afterEach(() => vi.unstubAllGlobals());

/** Returns whether the browser's own answer to an event is kept back. */
const isRefused = (where: EventTarget, type: string, facts: object = {}) => {
  const event = Object.assign(new Event(type, { cancelable: true }), facts);
  where.dispatchEvent(event);
  return event.defaultPrevented;
};
const press = (key: string, facts: object = { ctrlKey: true }) => isRefused(frame, 'keydown', { key, ...facts });

it.each([
  ['contextmenu', 'context_menu_attempt'],
  ['dragstart', 'drag_attempt'],
  ['selectstart', 'text_selection_attempt'],
  ['copy', 'copy_attempt'],
  ['cut', 'clipboard_attempt'],
  ['paste', 'clipboard_attempt'],
])('keeps %s from the hand and notes %s, but where somebody types', (kind, type) => {
  expect(isRefused(page, kind)).toBe(true);
  const typing = new Event(kind, { cancelable: true });
  Object.defineProperty(typing, 'target', { value: new Field() });
  page.dispatchEvent(typing);
  expect(typing.defaultPrevented).toBe(false);
  expect(noted).toEqual([type]);
});

it('keeps the keys for save, print, copy, all and source from the browser, and no others', () => {
  for (const key of ['s', 'P', 'c', 'u', 'a'])
    expect([press(key), press(key, { metaKey: true })], key).toEqual([true, true]);
  noted.length = 0;
  expect([press('r'), press('s', {}), press('ArrowRight')]).toEqual([false, false, false]);
  expect(noted).toEqual([]);
});

it('notes keys that no page can keep from the browser', () => {
  expect([press('F12', {}), press('I', { ctrlKey: true, shiftKey: true })]).toEqual([false, false]);
  for (const kind of ['keydown', 'keyup']) isRefused(frame, kind, { key: 'PrintScreen' });
  isRefused(frame, 'keyup', { key: 's', ctrlKey: true });
  expect(noted).toEqual(['devtools_attempt', 'devtools_attempt', 'screenshot_attempt']);
});

it('leaves nothing to print, and notes it', () => {
  isRefused(frame, 'beforeprint');
  expect(marks.has('data-print')).toBe(true);
  isRefused(frame, 'afterprint');
  expect(marks.has('data-print')).toBe(false);
  expect(noted).toEqual(['save_attempt']);
});

it('ends with the visit', () => {
  over.abort();
  expect([isRefused(page, 'contextmenu'), press('s')]).toEqual([false, false]);
  expect(noted).toEqual([]);
});
