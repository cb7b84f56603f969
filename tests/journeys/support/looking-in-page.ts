/* These run in the page: each is sent there as it stands, so it calls nothing outside itself. */

/** Returns what still moves on its way to somewhere; what moves for ever is part of the screen, and what moves with a scroll stands still. */
export function findMoving(): string[] {
  return document
    .getAnimations()
    .filter(
      ({ playState, effect, timeline }) =>
        timeline instanceof DocumentTimeline &&
        playState === 'running' &&
        effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY,
    )
    .map(({ effect }) => ((effect as KeyframeEffect | null)?.target as Element | null)?.outerHTML.slice(0, 160) ?? '?');
}

/**
 * Words and controls that stand beyond an edge of the screen or are cut by a box of their own. What can be scrolled there,
 * what ends in three dots and what only a screen reader sees is not cut off.
 */
export function findCutOff(): string[] {
  const width = document.documentElement.clientWidth;
  const controls = 'a, button, input:not([type="hidden"]), select, textarea, summary';
  const isScroller = (box: Element) => /auto|scroll/.test(getComputedStyle(box).overflowX);
  const isInScroller = (start: Element) => {
    for (let box = start.parentElement; box !== null; box = box.parentElement) if (isScroller(box)) return true;
    return false;
  };
  // Text that is shortened to so many lines ends in three dots; what is cut of a letter's tail is no word.
  const isClipping = (box: Element) => /hidden|clip/.test(getComputedStyle(box).overflowY) && box.clientHeight > 0;
  const isOpenBelow = (box: Element) =>
    getComputedStyle(box).webkitLineClamp !== 'none' || /auto|scroll/.test(getComputedStyle(box).overflowY);
  // Squeezed by what is around it, a line is cut through its middle.
  const isSqueezed = (box: Element) => {
    const { webkitLineClamp, lineHeight } = getComputedStyle(box);
    const most = Number.parseInt(webkitLineClamp, 10) * Number.parseFloat(lineHeight);
    return Math.min(most, box.scrollHeight) > box.clientHeight + 4;
  };
  const isCutBelow = (element: HTMLElement) => {
    const { bottom } = element.getBoundingClientRect();
    if (isSqueezed(element)) return true;
    if (isClipping(element) && !isOpenBelow(element) && element.scrollHeight > element.clientHeight + 4)
      return !element.matches('input');
    for (let box = element.parentElement; box !== null && box !== document.body; box = box.parentElement) {
      if (isOpenBelow(box)) return false;
      if (isClipping(box) && bottom > box.getBoundingClientRect().bottom + 4) return true;
    }
    return false;
  };
  const isCut = (element: HTMLElement) => {
    const { left, right } = element.getBoundingClientRect();
    if ((right > width + 1 || left < -1) && !isInScroller(element)) return true;
    if (isCutBelow(element)) return true;
    const { overflowX, textOverflow } = getComputedStyle(element);
    const isTooWide = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0;
    return isTooWide && /hidden|clip/.test(overflowX) && textOverflow !== 'ellipsis' && !element.matches('input');
  };
  const isRead = (element: HTMLElement) =>
    element.matches(controls) ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '');
  return (
    [...document.body.querySelectorAll<HTMLElement>('*')]
      .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .filter((element) => element.getBoundingClientRect().width > 1 && element.getBoundingClientRect().height > 1)
      // What only screen readers are told is clipped on purpose.
      .filter((element) => element.closest('.sr-only') === null)
      .filter((element) => isRead(element) && isCut(element))
      .map((element) => element.outerHTML.slice(0, 200))
  );
}

/**
 * Returns what is smaller than a thumb: 44 × 44 px, with the label that belongs to it and the invisible edge that some controls have.
 * A link in running text is as high as its line (WCAG 2.5.8).
 */
export function findSmall(): string[] {
  const least = 43.5;
  const roles = ['button', 'link', 'tab', 'switch', 'checkbox', 'radio', 'menuitem', 'option', 'slider', 'combobox'];
  const targets = `a[href], button, input:not([type="hidden"]), select, textarea, summary, ${roles.map((role) => `[role="${role}"]`).join(', ')}`;
  const sizeOf = (element: Element): { width: number; height: number } => {
    const { width, height } = element.getBoundingClientRect();
    const edge = getComputedStyle(element, '::after');
    if (edge.content === 'none' || edge.position !== 'absolute') return { width, height };
    return {
      width: Math.max(width, Number.parseFloat(edge.width) || 0),
      height: Math.max(height, Number.parseFloat(edge.height) || 0),
    };
  };
  const labelOf = (element: HTMLElement): Element | undefined =>
    element.closest('label') ?? (element instanceof HTMLInputElement ? element.labels?.[0] : undefined) ?? undefined;
  const isInText = (element: HTMLElement) => {
    if (!element.matches('a, button') || getComputedStyle(element).display !== 'inline') return false;
    const line = element.parentElement?.textContent?.trim() ?? '';
    return line.length > (element.textContent?.trim().length ?? 0);
  };
  const isSmall = (element: HTMLElement) => {
    const label = labelOf(element);
    const all = [sizeOf(element), ...(label === undefined ? [] : [sizeOf(label)])];
    return Math.max(...all.map(({ width }) => width)) < least || Math.max(...all.map(({ height }) => height)) < least;
  };
  const isThere = (element: HTMLElement) => {
    const { width, height } = element.getBoundingClientRect();
    const isSeen = element.checkVisibility({
      opacityProperty: labelOf(element) === undefined,
      visibilityProperty: true,
    });
    return isSeen && width > 1 && height > 1 && element.closest('[inert], [aria-hidden="true"], :disabled') === null;
  };
  return [...document.querySelectorAll<HTMLElement>(targets)]
    .filter((element) => isThere(element) && !isInText(element) && isSmall(element))
    .map((element) => {
      const { width, height } = sizeOf(element);
      return `${Math.round(width)} × ${Math.round(height)}: ${element.outerHTML.slice(0, 200)}`;
    });
}

/**
 * Words that stand beyond the box that holds them, over whatever is beside it. Edges of up to 24 px are meant: controls reach into
 * the margin so that their words stand on the line.
 */
export function findSpilled(): string[] {
  const meant = 24;
  const isHolding = (box: Element) => {
    const { display, overflowX, position } = getComputedStyle(box);
    return (
      !display.startsWith('inline') && display !== 'contents' && overflowX === 'visible' && position !== 'absolute'
    );
  };
  const spillOf = (text: Text): number => {
    const range = document.createRange();
    range.selectNodeContents(text);
    const { left, right } = range.getBoundingClientRect();
    for (let box = text.parentElement; box !== null && box !== document.body; box = box.parentElement) {
      const { overflowX, position } = getComputedStyle(box);
      if (overflowX !== 'visible' || position === 'absolute' || position === 'fixed') return 0;
      const holder = box.getBoundingClientRect();
      if (isHolding(box)) {
        const by = Math.max(right - holder.right, holder.left - left);
        if (by > meant) return by;
      }
    }
    return 0;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    if (text.data.trim() === '' || !text.parentElement?.checkVisibility({ visibilityProperty: true })) continue;
    const by = spillOf(text);
    if (by > 0) found.push(`${Math.round(by)} px: ${text.parentElement.outerHTML.slice(0, 200)}`);
  }
  return found;
}
