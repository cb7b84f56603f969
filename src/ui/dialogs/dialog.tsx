import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import type { Elements } from '#kit/elements.ts';
import { drawIconButton } from '#ui/buttons/icon-button.tsx';
import { veilLook } from '#ui/dialogs/popup-look.ts';
import { closeBy } from '#ui/dialogs/second-click.tsx';

type DialogProps = {
  open: boolean;
  /** Asked for by Escape, the cross or a tap beside it. */
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children?: Elements;
  /** Buttons at the foot, the most important first: it stands on the right on a computer and on top on a phone. */
  actions?: ReactNode;
  /** Beside the cross: what turns to another one of its kind. */
  tools?: Elements;
  onKeyDown?: ((event: KeyboardEvent<HTMLElement>) => void) | undefined;
  /** Where typing begins; without it the cross has the focus, which is right for a question. */
  initialFocus?: RefObject<HTMLElement | null>;
};

/** What opened it may be gone once it is answered: whoever uses a keyboard goes on at the content, not at the top of the page. */
function keepFocus(): true {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
  });
  return true;
}

/** A question or a short form in the middle of the screen. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  actions,
  tools,
  onKeyDown,
  initialFocus,
}: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={closeBy(onClose)}>
      <Base.Portal>
        <Base.Backdrop className={veilLook} />
        <Base.Viewport className="fixed inset-0 z-30 grid place-items-center overflow-y-auto p-4">
          <Base.Popup
            {...(initialFocus && { initialFocus })}
            finalFocus={keepFocus}
            onKeyDown={onKeyDown}
            className="grid w-full max-w-115 gap-4 rounded-sheet border border-line bg-raised p-6 shadow-soft outline-none transition duration-calm data-ending-style:scale-97 data-ending-style:opacity-0 data-starting-style:scale-97 data-starting-style:opacity-0"
          >
            <header className="flex items-start justify-between gap-4">
              <Base.Title className="pt-1 text-21 wrap-anywhere">{title}</Base.Title>
              {/* The cross has the focus first. */}
              <span className="-mt-2 -mr-3 flex flex-none flex-row-reverse">
                <Base.Close aria-label="Close" className={drawIconButton({})}>
                  <X />
                </Base.Close>
                {tools}
              </span>
            </header>
            {description && <Base.Description className="-mt-2 text-quiet">{description}</Base.Description>}
            {children}
            {actions && (
              <footer data-foot className="flex flex-col gap-2 pt-1 md:flex-row-reverse">
                {actions}
              </footer>
            )}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
