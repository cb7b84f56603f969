import {
  composeToast,
  leavePage,
  type NotificationText,
  passTime,
  type Toast,
  type ToastText,
  type ToastType,
  tickMs,
  titleOf,
} from '#ui/feedback/toast-queue.ts';

const pathname = () => (globalThis as { location?: { pathname: string } }).location?.pathname ?? '';

let queue: readonly Toast[] = [];
let lastId = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const held = new Set<number>();
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  if (next === queue) return;
  // Of the others nobody sees the time that is left.
  const isToBeSeen = next.length !== queue.length || next.some(({ isNotification }) => isNotification);
  queue = next;
  for (const id of held) if (!queue.some((toast) => toast.id === id)) held.delete(id);
  if (queue.length > 0) timer ??= setInterval(() => change(passTime(queue, tickMs, held)), tickMs);
  else {
    clearInterval(timer);
    timer = undefined;
  }
  if (isToBeSeen) for (const listener of listeners) listener();
}

function add(type: ToastType, text: ToastText, isNotification = false): number {
  lastId += 1;
  change([...queue, composeToast(lastId, type, text, { isNotification, page: pathname() })]);
  return lastId;
}

/** Short messages to the person, from anywhere: `toast.success({ title: 'Link copied' })`. Each answers with the toast's id. */
export const toast = {
  success: (text: ToastText) => add('success', text),
  info: (text: ToastText) => add('info', text),
  warning: (text: ToastText) => add('warning', text),
  error: (text: ToastText) => add('error', text),
  /** A notification: 5 s with the time running out visibly; called "Success" or "Action Required" when it has no title of its own. */
  notify: (type: ToastType, text: NotificationText) => add(type, { ...text, title: titleOf(type, text) }, true),
  dismiss: (id: number) => change(queue.filter((shown) => shown.id !== id)),
  clear: () => change([]),
};

/** What the part that draws toasts needs. */
export const toastStore = {
  read: () => queue,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  /** Another page is there. */
  leave: () => change(leavePage(queue, pathname())),
  hold: (id: number) => void held.add(id),
  release: (id: number) => void held.delete(id),
};
