import { X } from 'lucide-react';
import { type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react';

interface SheetProps {
  title: string;
  onClose(): void;
  children: ReactNode;
}

/** A native dialog from below; Escape, the cross and a tap beside it close it. */
export function Sheet({ title, onClose, children }: SheetProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const tapBeside = ({ target }: MouseEvent) => {
    if (target === dialog.current) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog ref={dialog} className="sheet" aria-labelledby={id} onClose={onClose} onClick={tapBeside}>
      <div className="sheet-body">
        <header className="sheet-head">
          <h2 id={id}>{title}</h2>
          <button type="button" className="round" aria-label="Close" onClick={onClose}>
            <X aria-hidden="true" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
