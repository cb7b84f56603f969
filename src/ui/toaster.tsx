import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import { type FocusEvent, type PointerEvent, useSyncExternalStore } from 'react';
import { cx } from '#ui/cx.ts';
import { drawIconButton } from '#ui/icon-button.tsx';
import { toastStore, toast as toasts } from '#ui/toast.ts';
import { pickShown, type Toast } from '#ui/toast-queue.ts';

const icons = { success: CircleCheck, info: Info, warning: TriangleAlert, error: CircleAlert };
const none: readonly Toast[] = [];

/** The place of all toasts, once per page: above the bottom bar on a phone, at the foot of a desk. */
export function Toaster() {
  const shown = pickShown(useSyncExternalStore(toastStore.subscribe, toastStore.read, () => none));
  return (
    <div className="pointer-events-none fixed inset-x-4 bottom-[calc(5.75rem+env(safe-area-inset-bottom))] z-50 mx-auto grid max-w-130 gap-2 md:bottom-8">
      <div role="status" className="grid gap-2">
        {shown.map((toast) => toast.type !== 'error' && <ToastCard key={toast.id} toast={toast} />)}
      </div>
      <div role="alert" className="grid gap-2">
        {shown.map((toast) => toast.type === 'error' && <ToastCard key={toast.id} toast={toast} />)}
      </div>
    </div>
  );
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
      className="pointer-events-auto relative flex min-h-14 items-center gap-3 overflow-hidden rounded-card bg-ink py-1.5 pr-2 pl-4.5 text-13 text-paper shadow-soft transition duration-calm starting:translate-y-3 starting:opacity-0"
    >
      <Icon className={cx('size-5', toast.action && 'max-md:hidden')} />
      <div className="grid min-w-0 flex-1 py-1.5">
        <strong>{toast.title}</strong>
        {toast.message && <span>{toast.message}</span>}
        {toast.spoken && <span className="sr-only">{toast.spoken}</span>}
        {toast.details && (
          <details>
            <summary className="underline underline-offset-2">Details</summary>
            {toast.details}
          </details>
        )}
      </div>
      {toast.action && <ToastAction id={toast.id} action={toast.action} />}
      {toast.dismissible && (
        <button
          type="button"
          aria-label="Dismiss"
          onClick={() => toasts.dismiss(toast.id)}
          className={drawIconButton({ variant: 'onInk' }, '-ml-2')}
        >
          <X />
        </button>
      )}
      {toast.isNotification && toast.durationMs !== undefined && (
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
    toasts.dismiss(id);
  };
  return (
    <button
      type="button"
      onClick={press}
      className="min-h-11 flex-none rounded-control px-2.5 font-strong text-15 hover:bg-paper/14 focus-visible:outline-paper"
    >
      {action.label}
    </button>
  );
}
