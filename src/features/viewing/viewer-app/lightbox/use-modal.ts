import { useEffect, useRef } from 'react';
import type { ViewerApp } from '../viewer-app.ts';

/** Shows the dialog as long as it is there; after it, the focus is on the thumbnail of the item that was open last. */
export function useModal(dialog: { current: HTMLDialogElement | null }, app: ViewerApp, item: number): void {
  const last = useRef(item);
  last.current = item;
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('.stage')?.focus();
    return () => app.cells[last.current]?.focus({ preventScroll: true });
  }, [dialog, app]);
}
