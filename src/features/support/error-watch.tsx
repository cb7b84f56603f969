import { useEffect } from 'react';
import { toast } from '#ui/feedback/toast.ts';
import type { Pressed } from './report-error.tsx';

/** What goes wrong so soon after something was pressed is blamed on it. */
const blamedMs = 3000;
let lastPressed: Pressed | undefined;
let pressedAtMs = Number.NEGATIVE_INFINITY;

const kinds: Readonly<Record<string, Pressed['kind']>> = {
  menuitem: 'menu item',
  switch: 'switch',
  checkbox: 'switch',
  a: 'link',
  button: 'button',
};

function notePressed({ target }: MouseEvent): void {
  const control = target instanceof Element ? findControl(target) : null;
  const kind = kinds[control?.getAttribute('role') ?? ''] ?? kinds[control?.localName ?? ''];
  lastPressed = control === null || kind === undefined ? undefined : named(control, kind);
  pressedAtMs = performance.now();
}

/** Finds the control that was pressed. A switch or a box is pressed by its words, too, and by an input that nobody sees. */
const findControl = (target: Element): Element | null =>
  target.closest('button, a, [role=menuitem], [role=switch], [role=checkbox]') ??
  target.closest('label')?.querySelector('[role=switch], [role=checkbox]') ??
  null;

/** Reads the words beside a switch, without its hint, or beside a box, in the label around both. */
function wordsBeside(control: Element): string | null | undefined {
  const label = control.closest('label');
  return control.getAttribute('role') === 'switch'
    ? label?.querySelector('span span')?.textContent
    : label?.textContent;
}

function named(control: Element, kind: Pressed['kind']): Pressed | undefined {
  const words = kind === 'switch' ? wordsBeside(control) : control.textContent;
  const name = (control.getAttribute('aria-label') ?? words ?? '').trim();
  return name === '' || name.length > 80 ? undefined : { kind, name };
}

/** The way to tell of it is loaded when there is something to tell: every page would have to wait for it. */
export async function reportError(error: unknown, component: string): Promise<boolean> {
  const pressed = performance.now() - pressedAtMs < blamedMs ? lastPressed : undefined;
  try {
    return await (await import('./report-error.tsx')).reportError(error, component, pressed);
  } catch {
    return false; // It did not come: the server is away, and its own log knows better.
  }
}

async function note(error: unknown, component: string): Promise<void> {
  if (await reportError(error, component))
    toast.error({ title: 'Something went wrong', message: "We've alerted our team!" });
}

/** Hears what goes wrong in the pages without anybody having caught it. */
export function ErrorWatch() {
  useEffect(() => {
    const onError = ({ error, message }: ErrorEvent) => void note(error ?? message, 'page');
    const onRejection = ({ reason }: PromiseRejectionEvent) => void note(reason, 'promise');
    window.addEventListener('click', notePressed, { capture: true, passive: true });
    window.addEventListener('error', onError);
    window.addEventListener('unhandledrejection', onRejection);
    return () => {
      window.removeEventListener('click', notePressed, { capture: true });
      window.removeEventListener('error', onError);
      window.removeEventListener('unhandledrejection', onRejection);
    };
  }, []);
  return null;
}
