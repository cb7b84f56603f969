import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Target } from './targets.ts';

/** A target as it travels into a page. */
export type Sent = { inside?: Sent } & (
  | { by: 'role'; role: string; words?: SentWords }
  | { by: 'label' | 'text'; words: SentWords }
  | { by: 'css'; css: string }
);
type SentWords = { whole: string } | { pattern: string; flags: string };

export function send(target: Target): Sent {
  const { inside, ...own } = target;
  const outer = inside ? { inside: send(inside) } : {};
  if (own.by === 'css') return { ...own, ...outer };
  if (own.words === undefined) return { by: 'role', role: own.by === 'role' ? own.role : '', ...outer };
  return { ...own, words: sendWords(own.words), ...outer };
}

const sendWords = (words: string | RegExp): SentWords =>
  typeof words === 'string' ? { whole: words } : { pattern: words.source, flags: words.flags };

const queries = readFileSync(
  createRequire(import.meta.url)
    .resolve('@testing-library/dom')
    .replace(/index\.js$/, '@testing-library/dom.umd.min.js'),
  'utf8',
);

/**
 * A script that brings the queries of Testing Library into a page: every engine is asked by the same ones. And that says that a
 * person sits there: programs are not let in everywhere, and only Chromium has a switch for that.
 */
export const finderScript = `(() => {
  ${queries}
  Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false, configurable: true });
  globalThis.pfFinder = (${makeFinder})();
})()`;

interface Finder {
  /** What of a page fits a target, seen or not. */
  any(target: Sent): Element[];
  /** What of it can be seen. */
  all(target: Sent): Element[];
  /** The first of it, once it stands still, is enabled and nothing lies over its middle. */
  reachable(target: Sent): Element | undefined;
}

declare global {
  var pfFinder: Finder | undefined;
}

type Queries = Record<
  'queryAllByRole' | 'queryAllByLabelText' | 'queryAllByText',
  (within: Element, words: unknown, options?: object) => Element[]
>;

/** Runs in the page, where nothing of this module is. */
function makeFinder(): Finder {
  const ask = (globalThis as unknown as { TestingLibraryDom: Queries }).TestingLibraryDom;
  const read = (words: SentWords) => ('whole' in words ? words.whole : new RegExp(words.pattern, words.flags));
  const isSeen = (element: Element) =>
    element.getClientRects().length > 0 && getComputedStyle(element).visibility === 'visible';
  const within = (outer: Element, target: Sent): Element[] => {
    if (target.by === 'css') return [...outer.querySelectorAll(target.css)];
    if (target.by === 'role')
      return ask.queryAllByRole(outer, target.role, target.words ? { name: read(target.words) } : {});
    if (target.by === 'label') return ask.queryAllByLabelText(outer, read(target.words));
    return ask.queryAllByText(outer, read(target.words));
  };
  const any = (target: Sent): Element[] => {
    const outer = target.inside ? any(target.inside).filter(isSeen) : [document.body];
    return [...new Set(outer.flatMap((element) => within(element, target)))];
  };
  const all = (target: Sent): Element[] => any(target).filter(isSeen);
  const boxOf = (element: Element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x, y, width, height].join();
  };
  let last: { element: Element; box: string } | undefined;
  /** The same box twice in a row, as whoever asks comes again after a moment. */
  const isStill = (element: Element) => {
    const box = boxOf(element);
    const was = last;
    last = { element, box };
    return was?.element === element && was.box === box;
  };
  const isUncovered = (element: Element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    const label = (element as Partial<HTMLInputElement>).labels?.[0];
    return top !== null && (element.contains(top) || top.contains(element) || label?.contains(top) === true);
  };
  return {
    any,
    all,
    reachable(target) {
      const [element] = all(target);
      if (element === undefined || element.matches(':disabled, [aria-disabled="true"]')) return undefined;
      const { top, bottom } = element.getBoundingClientRect();
      if (top < 0 || bottom > innerHeight) element.scrollIntoView({ block: 'center', behavior: 'instant' });
      return isStill(element) && isUncovered(element) ? element : undefined;
    },
  };
}
