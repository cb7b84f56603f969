import type { BrowserContext } from '@playwright/test';

/**
 * Lets a browser translate each page as browsers do: every piece of text goes into a tag of its own, what comes later too.
 * The words stay what they are, so that a story can go on reading them.
 * @returns what pages went on writing into pieces of text that stand on them no more, and how pages broke
 */
export async function translatePages(context: BrowserContext): Promise<{ lost: string[]; broken: string[] }> {
  const [lost, broken]: [string[], string[]] = [[], []];
  await context.exposeFunction('describeLost', (text: string) => void lost.push(text));
  await context.addInitScript(translate);
  context.on('weberror', (error) => void broken.push(`${error.page()?.url()}: ${error.error().message}`));
  return { lost, broken };
}

/** Runs in the page, so it calls nothing outside itself. */
function translate(): void {
  const alone = 'script, style, textarea, noscript, title, svg, code, font, [translate="no"], .notranslate';
  const replaced = new WeakSet<Node>();
  const observer = new MutationObserver(() => later());
  const isOpen = (text: Text) => text.data.trim() !== '' && text.parentElement?.closest(alone) === null;
  const wrap = (text: Text) => {
    const [outer, inner] = [document.createElement('font'), document.createElement('font')];
    inner.textContent = text.data;
    outer.append(inner);
    text.replaceWith(outer);
    replaced.add(text);
  };
  const run = () => {
    observer.disconnect();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: Text[] = [];
    while (walker.nextNode()) found.push(walker.currentNode as Text);
    for (const text of found.filter(isOpen)) wrap(text);
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(run, 30);
  };
  const value = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue');
  if (value?.set === undefined) throw new Error('A piece of text cannot be written into.');
  const { set } = value;
  Object.defineProperty(Node.prototype, 'nodeValue', {
    ...value,
    set(this: Node, text: string) {
      if (replaced.has(this))
        (window as unknown as { describeLost(text: string): void }).describeLost(
          `${location.pathname}: ${this.nodeValue} → ${text}`,
        );
      set.call(this, text);
    },
  });
  // A person asks for it once the page stands there.
  addEventListener('load', () => setTimeout(run, 200));
}
