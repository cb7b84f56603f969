/** Whether a picture is held, on links that show pictures only then. */
export interface Holding {
  /** What is drawn is to be seen: it is held, or the link asks for no hand on it. */
  isShown(): boolean;
}

const notPicture = 'button, a, input, select, textarea, .chrome, .sheet';
/** Holds by keyboard what a finger holds by touch. */
const holdKey = 'h';

/**
 * Shows pictures only while a finger, a mouse button or the H key is held down on the open one: nothing stays on the screen of a
 * device that was put down. @param onChange is called before what is to be seen changes
 */
export function holdToView(isAsked: boolean, onChange: () => void, until: AbortSignal): Holding {
  const { documentElement } = document;
  documentElement.toggleAttribute('data-hold', isAsked);
  if (!isAsked) return { isShown: () => true };
  const fingers = new Set<number>();
  let isKeyHeld = false;
  let isShown = false;
  const update = () => {
    const isHeld = isKeyHeld || fingers.size > 0;
    if (isHeld === isShown) return;
    onChange();
    isShown = isHeld;
    documentElement.toggleAttribute('data-held', isHeld);
  };
  const letGo = () => {
    fingers.clear();
    isKeyHeld = false;
    update();
  };
  const listen = <Kind extends keyof WindowEventMap>(kind: Kind, listener: (event: WindowEventMap[Kind]) => void) =>
    window.addEventListener(kind, listener, { capture: true, signal: until });
  listen('pointerdown', ({ target, pointerId, button }) => {
    if (button !== 0 || !(target instanceof Element)) return;
    if (target.closest('.screen') === null || target.closest(notPicture) !== null) return;
    fingers.add(pointerId);
    update();
  });
  for (const kind of ['pointerup', 'pointercancel'] as const)
    listen(kind, ({ pointerId }) => {
      fingers.delete(pointerId);
      update();
    });
  listen('keydown', ({ key, ctrlKey, metaKey, altKey }) => {
    if (key.toLowerCase() !== holdKey || ctrlKey || metaKey || altKey) return;
    isKeyHeld = document.querySelector('.item[open]') !== null;
    update();
  });
  listen('keyup', ({ key }) => {
    if (key.toLowerCase() !== holdKey) return;
    isKeyHeld = false;
    update();
  });
  listen('blur', letGo);
  document.addEventListener('visibilitychange', letGo, { signal: until });
  until.addEventListener('abort', letGo);
  return { isShown: () => isShown };
}
