import { Drawer as Base } from '@base-ui/react/drawer';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { drawIconButton } from '#ui/buttons/icon-button.tsx';
import { cx } from '#ui/cx.ts';
import { veilLook } from '#ui/dialogs/popup-look.ts';
import { closeBy } from '#ui/dialogs/second-click.tsx';

type SheetProps = {
  open: boolean;
  /** Asked for by Escape, a pull downwards or a tap beside it. */
  onClose: () => void;
  /** A quiet line at the top that says what this sheet is: "New link to Golden hour". */
  title: string;
  children: ReactNode;
  /** What stays at the foot while the rest scrolls. */
  footer?: ReactNode;
};

/** Comes up from the bottom on a phone and can be pulled down; stands in the middle on a computer. */
export function Sheet({ open, onClose, title, children, footer }: SheetProps) {
  return (
    <Base.Root open={open} onOpenChange={closeBy(onClose)}>
      <Base.Portal>
        <Base.Backdrop className={veilLook} />
        <Base.Viewport className="fixed inset-0 z-30 flex items-end justify-center md:items-center md:p-6">
          <Base.Popup
            className={cx(
              'flex max-h-[92dvh] w-full max-w-140 flex-col rounded-t-sheet border-line bg-raised shadow-soft outline-none md:rounded-sheet md:border',
              'translate-y-(--drawer-swipe-movement-y) transition duration-calm ease-calm data-swiping:duration-0',
              'data-ending-style:translate-y-full data-starting-style:translate-y-full',
              'md:data-ending-style:translate-y-4 md:data-ending-style:opacity-0 md:data-starting-style:translate-y-4 md:data-starting-style:opacity-0',
            )}
          >
            <span aria-hidden="true" className="mx-auto mt-3 h-1 w-10 flex-none rounded-full bg-line md:invisible" />
            <header className="flex flex-none items-center justify-between gap-3 px-5">
              <Base.Title className="min-w-0 font-text text-13 font-normal tracking-normal wrap-anywhere text-quiet">
                {title}
              </Base.Title>
              <Base.Close aria-label="Close" className={drawIconButton({}, '-mr-3')}>
                <X />
              </Base.Close>
            </header>
            <Base.Content className="scroll-quiet scroll-fade overflow-y-auto overscroll-contain px-5 pt-1 pb-5">
              {children}
            </Base.Content>
            {footer && (
              <footer data-foot className="flex gap-2.5 px-5 pt-1 pb-[max(1.5rem,env(safe-area-inset-bottom))]">
                {footer}
              </footer>
            )}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
