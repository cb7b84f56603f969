import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deter } from './deterrence.ts';

class Field extends EventTarget {}
const marks = new Set<string>();
let page: EventTarget;
let frame: EventTarget;
let over: AbortController;

beforeEach(() => {
  [page, frame, over] = [new EventTarget(), new EventTarget(), new AbortController()];
  const toggleAttribute = (name: string, isOn: boolean) => (isOn ? marks.add(name) : marks.delete(name));
  vi.stubGlobal('document', Object.assign(page, { documentElement: { toggleAttribute } }));
  vi.stubGlobal('addEventListener', frame.addEventListener.bind(frame));
  vi.stubGlobal('HTMLInputElement', Field);
  deter(over.signal);
});
afterEach(() => vi.unstubAllGlobals());

/** Whether the browser's own answer to an event is kept back. */
const isRefused = (where: EventTarget, type: string, facts: object = {}) => {
  const event = Object.assign(new Event(type, { cancelable: true }), facts);
  where.dispatchEvent(event);
  return event.defaultPrevented;
};
const press = (key: string, facts: object = { ctrlKey: true }) => isRefused(frame, 'keydown', { key, ...facts });

it('keeps the menu, dragging, selecting and copying from the hand', () => {
  for (const type of ['contextmenu', 'dragstart', 'selectstart', 'copy', 'cut'])
    expect(isRefused(page, type), type).toBe(true);
  const typing = new Event('copy', { cancelable: true });
  Object.defineProperty(typing, 'target', { value: new Field() });
  page.dispatchEvent(typing);
  expect(typing.defaultPrevented).toBe(false);
});

it('keeps the keys for save, print, copy and source from the browser, and no others', () => {
  for (const key of ['s', 'P', 'c', 'u'])
    expect([press(key), press(key, { metaKey: true })], key).toEqual([true, true]);
  expect([press('r'), press('s', {}), press('ArrowRight')]).toEqual([false, false, false]);
});

it('leaves nothing to print', () => {
  isRefused(frame, 'beforeprint');
  expect(marks.has('data-print')).toBe(true);
  isRefused(frame, 'afterprint');
  expect(marks.has('data-print')).toBe(false);
});

it('ends with the visit', () => {
  over.abort();
  expect([isRefused(page, 'contextmenu'), press('s')]).toEqual([false, false]);
});
