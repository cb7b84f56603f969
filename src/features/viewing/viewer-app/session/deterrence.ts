/** Typing must work as everywhere; only pictures and the page around them are kept from the hand. */
const isField = (target: EventTarget | null) => target instanceof HTMLInputElement;

const savingKeys = new Set(['s', 'p', 'c', 'u']);

/** Makes casual copying harder. It does not make it impossible, and nothing on the page says so. */
export function deter(until: AbortSignal): void {
  const refuse = (event: Event) => {
    if (!isField(event.target)) event.preventDefault();
  };
  for (const kind of ['contextmenu', 'dragstart', 'selectstart', 'copy', 'cut'])
    document.addEventListener(kind, refuse, { signal: until });
  addEventListener(
    'keydown',
    (event) => {
      if ((event.ctrlKey || event.metaKey) && savingKeys.has(event.key.toLowerCase())) refuse(event);
    },
    { capture: true, signal: until },
  );
  const { documentElement } = document;
  addEventListener('beforeprint', () => documentElement.toggleAttribute('data-print', true), { signal: until });
  addEventListener('afterprint', () => documentElement.toggleAttribute('data-print', false), { signal: until });
}
