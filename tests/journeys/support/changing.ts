import type { Page } from '@playwright/test';

/** Where something stands that changes by itself, and which of its words are meant. */
interface Place {
  selector: string;
  words?: RegExp;
}

/**
 * Notes from now on what a page shows in one place, each change once: its words, or how far a line of progress is. What
 * stands for a moment only is noted as well.
 *
 * @returns reads what was noted so far
 */
export async function noteChanges(
  page: Page,
  { selector, words = /[\s\S]+/ }: Place,
): Promise<() => Promise<string[]>> {
  const noted = await page.evaluateHandle(
    ({ selector, source }) => {
      const [shown, meant]: [string[], RegExp] = [[], new RegExp(source)];
      const look = () => {
        for (const place of document.querySelectorAll(selector)) {
          const [now] = meant.exec(place.getAttribute('aria-valuenow') ?? place.textContent ?? '') ?? [];
          if (now !== undefined && now !== shown.at(-1)) shown.push(now);
        }
      };
      look();
      new MutationObserver(look).observe(document, {
        subtree: true,
        childList: true,
        characterData: true,
        attributeFilter: ['aria-valuenow'],
      });
      return shown;
    },
    { selector, source: words.source },
  );
  return () => noted.jsonValue();
}
