import type { Sent } from './finder.ts';

/* What runs in the page, where nothing of these modules is: each function stands by itself, and travels as its source. */

/** Marks what stands in the field that has the focus: what is typed takes its place. */
export function selectAll(): null {
  const { activeElement } = document;
  if (activeElement instanceof HTMLInputElement || activeElement instanceof HTMLTextAreaElement) activeElement.select();
  return null;
}

/** Gives a field of dates its value as its own calendar does: each engine's takes other keys. @returns whether it is one */
export function setDate({ sent, words }: { sent: Sent; words: string }): boolean {
  const element = globalThis.pfFinder?.all(sent)[0];
  if (!(element instanceof HTMLInputElement) || element.type !== 'date') return false;
  // Past what React has put over the property, or it would not see that anything changed.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(element, words);
  for (const kind of ['input', 'change']) element.dispatchEvent(new Event(kind, { bubbles: true }));
  return true;
}

export function focusOn(sent: Sent): null {
  const [element] = globalThis.pfFinder?.all(sent) ?? [];
  if (element instanceof HTMLElement) element.focus();
  return null;
}

/** No driver reaches into a list of the system: it is told what was chosen. @returns whether there is such an entry */
export function chooseEntry({ sent, entry }: { sent: Sent; entry: string }): boolean {
  const [list] = globalThis.pfFinder?.all(sent) ?? [];
  if (!(list instanceof HTMLSelectElement)) return false;
  const wanted = [...list.options].find(({ text }) => text === entry);
  if (wanted === undefined) return false;
  list.value = wanted.value;
  for (const kind of ['input', 'change']) list.dispatchEvent(new Event(kind, { bubbles: true }));
  return true;
}

export function readMiddle(sent: Sent): { x: number; y: number; width: number } {
  const [element] = globalThis.pfFinder?.all(sent) ?? [];
  const { x, y, width, height } = element?.getBoundingClientRect() ?? new DOMRect();
  return { x: x + width / 2, y: y + height / 2, width };
}

/** The part of it that is on the screen. */
export function readBox(sent: Sent): { x: number; y: number; width: number; height: number; screen: number } {
  const box = globalThis.pfFinder?.all(sent)[0]?.getBoundingClientRect() ?? new DOMRect();
  const [x, y] = [Math.max(0, box.left), Math.max(0, box.top)];
  return {
    x,
    y,
    width: Math.min(innerWidth, box.right) - x,
    height: Math.min(innerHeight, box.bottom) - y,
    screen: innerWidth,
  };
}

/** Waits for what moves to come to its end, at most two seconds, and for the screen to be drawn. */
export async function untilStill(): Promise<null> {
  const moving = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
  const ends = moving.map(({ finished }) => finished.catch(() => undefined));
  await Promise.race([Promise.all(ends), new Promise((over) => setTimeout(over, 2000))]);
  for (let frames = 0; frames < 2; frames++) await new Promise((drawn) => requestAnimationFrame(drawn));
  return null;
}
