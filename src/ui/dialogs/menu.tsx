import { Menu as Base } from '@base-ui/react/menu';
import type { LucideIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import { cx } from '#ui/cx.ts';
import { optionLook, popupLook } from '#ui/dialogs/popup-look.ts';

export type MenuItem =
  | { label: string; icon?: LucideIcon; onSelect: () => void; danger?: boolean; disabled?: boolean }
  | 'line';

type MenuProps = {
  /** The button that opens it, usually an `IconButton`. */
  trigger: ReactElement;
  items: readonly MenuItem[];
};

/** What is left free around it: at the foot of a phone stands the bar. */
const free = { top: 8, right: 8, bottom: 84, left: 8 };

/** A short list of things to do with what stands beside it. */
export function Menu({ trigger, items }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} align="end" collisionPadding={free} className="z-40 outline-none">
          <Base.Popup className={cx(popupLook, 'min-w-52')}>
            {items.map((item, at) =>
              item === 'line' ? (
                <Base.Separator key={`line-${String(at)}`} className="mx-3 my-1.5 border-t border-line" />
              ) : (
                <Base.Item
                  key={item.label}
                  disabled={item.disabled ?? false}
                  onClick={item.onSelect}
                  className={cx(optionLook, item.danger && 'text-rust data-highlighted:bg-rust-wash')}
                >
                  {item.icon && <item.icon />}
                  <span>{item.label}</span>
                </Base.Item>
              ),
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
