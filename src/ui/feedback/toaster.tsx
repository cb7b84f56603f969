import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import { type FocusEvent, type PointerEvent, type RefObject, useEffect, useRef, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { drawIconButton } from '#ui/buttons/icon-button.tsx';
import { cx } from '#ui/cx.ts';
import { toastStore, toast as toasts } from '#ui/feedback/toast.ts';
import { type Box, findLift } from '#ui/feedback/toast-place.ts';
import { pickShown, type Toast } from '#ui/feedback/toast-queue.ts';

const icons = { success: CircleCheck, info: Info, warning: TriangleAlert, error: CircleAlert };
const none: readonly Toast[] = [];

/**
 * The place of all toasts, once per page: above the bottom bar on a phone, at the foot on a computer. They stand at the page's end;
 * F6 leads a keyboard there and back, and whoever came by keyboard is put back where they were when a toast goes under their hand.
 */
export function Toaster() {
  const shown = pickShown(useSyncExternalStore(toastStore.subscribe, toastStore.read, () => none));
  const region = useRef<HTMLDivElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useEffect(() => toastStore.leave(), [pathname]);
  useFreePlace(region, shown);
  useEffect(() => {
    const place = region.current;
    if (shown.length === 0 || place === null) return;
    const remember = ({ relatedTarget }: globalThis.FocusEvent) => {
      if (!place.contains(relatedTarget as Node | null)) cameFrom = relatedTarget;
    };
    const turn = (event: KeyboardEvent) => {
      if (event.key !== 'F6') return;
      event.preventDefault();
      if (place.contains(document.activeElement)) goBack();
      else [...place.querySelectorAll('[data-toast]')].at(-1)?.querySelector('button')?.focus();
    };
    place.addEventListener('focusin', remember);
    document.addEventListener('keydown', turn);
    return () => {
      place.removeEventListener('focusin', remember);
      document.removeEventListener('keydown', turn);
    };
  }, [shown.length]);
  return (
    <>
      {/* What a toast that stays lies over can be scrolled from under it. */}
      {shown.map(({ id, action }) => action && <div key={id} className="h-24" />)}
      <div
        ref={region}
        className="pointer-events-none fixed inset-x-4 bottom-[calc(5.75rem+env(safe-area-inset-bottom))] z-50 mx-auto grid max-w-130 translate-y-[calc(-1*var(--lift,0px))] gap-2 md:bottom-8"
      >
        <div role="status" className="grid gap-2">
          {shown.map((toast) => toast.type !== 'error' && <ToastCard key={toast.id} toast={toast} />)}
        </div>
        <div role="alert" className="grid gap-2">
          {shown.map((toast) => toast.type === 'error' && <ToastCard key={toast.id} toast={toast} />)}
        </div>
      </div>
    </>
  );
}

const lookMs = 250;

/** Returns what must stay free: bars at the foot, and in an open dialog whatever can be tapped. */
function findNeeded(): Box[] {
  const dialogs = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')];
  const controls = 'a[href], button, input, textarea, select, [role="switch"], [role="checkbox"], [role="menuitem"]';
  const inDialogs = dialogs.flatMap((dialog) => [...dialog.querySelectorAll(controls)]);
  const needed = [...document.querySelectorAll('[data-foot]'), ...inDialogs].map((one) => one.getBoundingClientRect());
  return needed.filter(({ width, height }) => width > 1 && height > 1);
}

/** Keeps the toasts off what is needed, as dialogs and bars come and go; under a hand they stay where they are. */
function useFreePlace(region: RefObject<HTMLDivElement | null>, shown: readonly Toast[]): void {
  const isAny = shown.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one more toast is a larger box
  useEffect(() => {
    const place = region.current;
    if (!isAny || place === null) return;
    const settle = () => {
      if (place.matches(':hover, :focus-within')) return;
      const lift = Number.parseFloat(place.style.getPropertyValue('--lift')) || 0;
      const { left, right, top, bottom } = place.getBoundingClientRect();
      const usual = { left, right, top: top + lift, bottom: bottom + lift };
      place.style.setProperty('--lift', `${findLift(usual, findNeeded(), window.innerHeight)}px`);
    };
    settle();
    const timer = setInterval(settle, lookMs);
    return () => clearInterval(timer);
  }, [isAny, shown.length, region]);
}

/** What had the focus before the toasts did; there is one place of them on a page. */
let cameFrom: EventTarget | null = null;

/** The focus where it was before, or at the page's own part when that is gone. */
function goBack(): void {
  if (cameFrom instanceof HTMLElement && cameFrom.isConnected && cameFrom !== document.body) cameFrom.focus();
  else document.getElementById('main')?.focus({ preventScroll: true });
}

/** Ends a toast under the hand that pressed one of its buttons; a browser that gives no focus to what is tapped has nothing to put back. */
function end(id: number): void {
  if (document.activeElement?.closest('[data-toast]')) goBack();
  toasts.dismiss(id);
}

/** One toast: what happened, perhaps an action, a cross. Its time stands still under a pointer and while it has the focus. */
export function ToastCard({ toast }: { toast: Toast }) {
  const Icon = icons[toast.type];
  const hold = () => toastStore.hold(toast.id);
  const leave = ({ currentTarget }: PointerEvent) =>
    !currentTarget.matches(':focus-within') && toastStore.release(toast.id);
  const blur = ({ currentTarget }: FocusEvent) => !isUnderMouse(currentTarget) && toastStore.release(toast.id);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only stops the clock, nothing is to be pressed here.
    <div
      onPointerEnter={toast.pauseOnHover ? hold : undefined}
      onPointerLeave={leave}
      onFocus={hold}
      onBlur={blur}
      data-toast
      className="pointer-events-auto relative flex min-h-14 items-center gap-3 overflow-hidden rounded-card bg-ink py-1.5 pr-2 pl-4.5 text-13 text-paper shadow-soft transition duration-calm starting:translate-y-3 starting:opacity-0"
    >
      <Icon className={cx('size-5', toast.action && 'max-md:hidden')} />
      <div className="grid min-w-0 flex-1 py-1.5">
        <strong>{toast.title}</strong>
        {toast.message && <span>{toast.message}</span>}
        {toast.spoken && <span className="sr-only">{toast.spoken}</span>}
        {toast.details && (
          <details>
            <summary className="-my-1 py-3.5 underline underline-offset-2">Details</summary>
            <span>{toast.details}</span>
          </details>
        )}
      </div>
      {toast.action && <ToastAction id={toast.id} action={toast.action} />}
      {toast.dismissible && (
        <button
          type="button"
          aria-label="Dismiss"
          onClick={() => end(toast.id)}
          className={drawIconButton({ variant: 'onInk' }, '-ml-2')}
        >
          <X />
        </button>
      )}
      {toast.isNotification && (
        <progress
          max={toast.durationMs}
          value={toast.leftMs}
          aria-hidden="true"
          className="absolute inset-x-0 bottom-0 h-0.5 w-full toast-time"
        />
      )}
    </div>
  );
}

/** A finger leaves `:hover` behind; only where a real pointer hovers it means anything. */
function isUnderMouse(element: Element): boolean {
  return window.matchMedia('(hover: hover)').matches && element.matches(':hover');
}

function ToastAction({ id, action }: { id: number; action: { label: string; onPress: () => void } }) {
  const press = () => {
    action.onPress();
    end(id);
  };
  return (
    <button
      type="button"
      onClick={press}
      aria-keyshortcuts="F6"
      className="min-h-11 flex-none rounded-control px-2.5 font-strong text-15 hover:bg-paper/14 focus-visible:outline-paper"
    >
      {action.label}
    </button>
  );
}
