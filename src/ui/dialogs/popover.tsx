import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, RefObject } from 'react';
import type { Elements } from '#kit/elements.ts';
import { cx } from '#ui/cx.ts';
import { popupLook } from '#ui/dialogs/popup-look.ts';

type PopoverProps = {
  /** The button that opens it. */
  trigger: ReactElement;
  title: string;
  children: Elements;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** Where typing begins; without it a finger leaves the focus on the card. */
  initialFocus?: RefObject<HTMLElement | null> | undefined;
};

/** A small card beside its button, for a choice or an explanation. */
export function Popover({ trigger, title, children, open, onOpenChange, initialFocus }: PopoverProps) {
  return (
    <Base.Root {...(open !== undefined && { open })} {...(onOpenChange && { onOpenChange })}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={8} collisionPadding={12} className="z-40">
          <Base.Popup
            {...(initialFocus && { initialFocus })}
            className={cx(popupLook, 'grid w-80 max-w-(--available-width) gap-3 p-4.5')}
          >
            <Base.Title className="text-21">{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
