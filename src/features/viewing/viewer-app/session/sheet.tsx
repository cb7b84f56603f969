import { X } from 'lucide-react';
import { type MouseEvent, useEffect, useId, useLayoutEffect, useRef } from 'react';
import type { Elements } from '#kit/elements.ts';

interface SheetProps {
  title: string;
  onClose(): void;
  children: Elements;
}

/** A native dialog from below; Escape, the cross and a tap beside it close it. */
export function Sheet({ title, onClose, children }: SheetProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(title);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Only a dialog that is closed, not one that is taken away, gives the focus back to where it came from.
    return () => element?.close();
  }, []);
  // Another page in the same sheet: the button that led to it is gone, so reading goes on at its title.
  useEffect(() => {
    if (title !== shown.current) heading.current?.focus();
    shown.current = title;
  }, [title]);
  const tapBeside = ({ target }: MouseEvent) => {
    if (target === dialog.current) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog ref={dialog} className="sheet" aria-labelledby={id} onClose={onClose} onClick={tapBeside}>
      <div className="sheet-body">
        <header className="sheet-head">
          <h2 ref={heading} id={id} tabIndex={-1}>
            {title}
          </h2>
          <button type="button" className="round" aria-label="Close" onClick={onClose}>
            <X aria-hidden="true" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
