import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { noteWindow } from './window-signs.ts';

const noted: string[] = [];
let page: EventTarget & { visibilityState: string };
let frame: EventTarget;
let over: AbortController;
let hasMouse: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  [frame, over, hasMouse] = [new EventTarget(), new AbortController(), true];
  noted.length = 0;
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', frame);
  vi.stubGlobal('matchMedia', () => ({ matches: hasMouse }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
const begin = () => noteWindow(over.signal, (type) => noted.push(type));
const turn = (visibilityState: string) => {
  page.visibilityState = visibilityState;
  page.dispatchEvent(new Event('visibilitychange'));
};
const happen = (kind: string) => frame.dispatchEvent(new Event(kind));

it('notes that the page went to the back and came again, once each', async () => {
  begin();
  happen('blur');
  turn('hidden');
  await vi.runAllTimersAsync();
  turn('visible');
  expect(noted).toEqual(['tab_switch_attempt', 'tab_return']);
});

it('notes a window that loses the focus, and one that rests at another size', async () => {
  begin();
  happen('blur');
  for (let n = 0; n < 20; n++) happen('resize');
  await vi.runAllTimersAsync();
  expect(noted).toEqual(['focus_change', 'window_resize']);
});

it('says nothing of a phone that is turned', async () => {
  hasMouse = false;
  begin();
  happen('resize');
  await vi.runAllTimersAsync();
  expect(noted).toEqual([]);
});

it('ends with the visit', async () => {
  begin();
  happen('blur');
  happen('resize');
  over.abort();
  turn('hidden');
  await vi.runAllTimersAsync();
  expect(noted).toEqual([]);
});
