import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { holdToView } from './holding.ts';

const marks = new Set<string>();
let page: EventTarget;
let frame: EventTarget;
let over: AbortController;
/** What stands under the finger: the picture, or a button on it. */
class Part extends EventTarget {
  readonly #is: string;
  constructor(is: string) {
    super();
    this.#is = is;
  }
  closest = (selectors: string) => (selectors.split(', ').includes(this.#is) || selectors === '.screen' ? this : null);
}
const [picture, button] = [new Part('.stage'), new Part('button')];
let isOpen: boolean;

beforeEach(() => {
  [page, frame, over, isOpen] = [new EventTarget(), new EventTarget(), new AbortController(), true];
  marks.clear();
  const toggleAttribute = (name: string, isOn: boolean) => (isOn ? marks.add(name) : marks.delete(name));
  const querySelector = () => (isOpen ? {} : null);
  vi.stubGlobal('document', Object.assign(page, { documentElement: { toggleAttribute }, querySelector }));
  vi.stubGlobal('window', frame);
  vi.stubGlobal('Element', Part);
});
afterEach(() => vi.unstubAllGlobals());

const happen = (kind: string, facts: object = {}) => {
  const event = Object.assign(new Event(kind), facts);
  if ('on' in facts) Object.defineProperty(event, 'target', { value: facts.on });
  frame.dispatchEvent(event);
};
const press = (pointerId = 1, on = picture) => happen('pointerdown', { pointerId, button: 0, on });

it('shows everything where the link does not ask for a hand', () => {
  const { isShown } = holdToView(false, () => undefined, over.signal);
  expect([isShown(), marks.has('data-hold')]).toEqual([true, false]);
});

it('shows a picture while a finger is on it, and counts until the last one is gone', () => {
  const changes: boolean[] = [];
  const holding = holdToView(true, () => changes.push(holding.isShown()), over.signal);
  expect([holding.isShown(), marks.has('data-hold'), marks.has('data-held')]).toEqual([false, true, false]);
  press(1);
  press(2);
  happen('pointerup', { pointerId: 1 });
  expect([holding.isShown(), marks.has('data-held')]).toEqual([true, true]);
  happen('pointercancel', { pointerId: 2 });
  expect([holding.isShown(), marks.has('data-held')]).toEqual([false, false]);
  expect(changes, 'called before the change, once for each').toEqual([false, true]);
});

it('takes no button for a picture', () => {
  const holding = holdToView(true, () => undefined, over.signal);
  press(1, button);
  happen('pointerdown', { pointerId: 2, button: 2, on: picture });
  expect(holding.isShown()).toBe(false);
});

it('is held by the H key as well, where a picture is open', () => {
  const holding = holdToView(true, () => undefined, over.signal);
  happen('keydown', { key: 'h' });
  expect(holding.isShown()).toBe(true);
  happen('keyup', { key: 'H' });
  expect(holding.isShown()).toBe(false);
  isOpen = false;
  happen('keydown', { key: 'h' });
  expect(holding.isShown()).toBe(false);
});

it.each([
  ['the window loses the focus', () => happen('blur')],
  ['the page goes to the back', () => page.dispatchEvent(new Event('visibilitychange'))],
  ['the visit ends', () => over.abort()],
])('lets go when %s', (_, end) => {
  const holding = holdToView(true, () => undefined, over.signal);
  press();
  end();
  expect(holding.isShown()).toBe(false);
});
