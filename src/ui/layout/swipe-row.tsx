import type { LucideIcon } from 'lucide-react';
import { type MouseEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { cx } from '#ui/cx.ts';

const openPx = 104;
const startPx = 8;

type SwipeRowProps = {
  /** The verb that appears under the row when it is pulled to the left. */
  action: string;
  icon: LucideIcon;
  onAction: () => void;
  children: ReactNode;
};

/**
 * An `<li>` that slides to the left under a finger and shows what can be done. It is there for whoever has pulled only: a keyboard
 * has the same in the row's menu, which asks first.
 */
export function SwipeRow({ action, icon: Icon, onAction, children }: SwipeRowProps) {
  const [pulledPx, setPulledPx] = useState(0);
  const start = useRef<{ x: number; from: number; moved: boolean }>(undefined);
  const begin = (event: PointerEvent) => {
    if (event.pointerType === 'touch') start.current = { x: event.clientX, from: pulledPx, moved: false };
  };
  const move = (event: PointerEvent) => {
    const pull = start.current;
    if (!pull) return;
    const distance = pull.x - event.clientX;
    if (Math.abs(distance) > startPx) pull.moved = true;
    if (pull.moved) setPulledPx(Math.min(openPx, Math.max(0, pull.from + distance)));
  };
  const end = () => {
    if (start.current?.moved) setPulledPx(pulledPx > openPx / 2 ? openPx : 0);
    start.current = undefined;
  };
  const close = (event: MouseEvent) => {
    if (pulledPx === 0) return;
    event.preventDefault();
    setPulledPx(0);
  };
  return (
    <li className="relative overflow-hidden">
      <button
        type="button"
        tabIndex={pulledPx === 0 ? -1 : undefined}
        aria-hidden={pulledPx === 0}
        onBlur={() => setPulledPx(0)}
        onClick={() => {
          setPulledPx(0);
          onAction();
        }}
        className={cx(
          'absolute inset-y-0 right-0 grid w-26 place-content-center justify-items-center gap-1 bg-rust text-13 font-strong text-on-rust -outline-offset-4 focus-visible:outline-on-rust',
          pulledPx === 0 && 'opacity-0',
        )}
      >
        <Icon className="size-5" />
        <span>{action}</span>
      </button>
      <div
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={end}
        onClickCapture={close}
        style={{ transform: `translateX(${-pulledPx}px)` }}
        className={cx('relative touch-pan-y bg-raised', start.current?.moved ? undefined : 'transition-transform')}
      >
        {children}
      </div>
    </li>
  );
}
