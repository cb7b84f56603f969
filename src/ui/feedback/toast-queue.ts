export type ToastType = 'success' | 'info' | 'warning' | 'error';

export type ToastText = {
  title: string;
  message?: string | undefined;
  /** Read out and not shown. */
  spoken?: string | undefined;
  /** More for those who want it, folded away. */
  details?: string | undefined;
  action?: { label: string; onPress: () => void } | undefined;
  durationMs?: number | undefined;
  dismissible?: boolean | undefined;
  pauseOnHover?: boolean | undefined;
  /** Said on the way to another page, where it is still to be read. */
  goesAlong?: boolean | undefined;
};

/** A notification may leave its title to what kind it is. */
export type NotificationText = Omit<ToastText, 'title'> & { title?: string | undefined };

const usualTitles = {
  success: 'Success',
  info: 'Success',
  warning: 'Action Required',
  error: 'Action Required',
} as const;
export const titleOf = (type: ToastType, { title }: NotificationText): string => title ?? usualTitles[type];

export type Toast = ToastText & {
  id: number;
  type: ToastType;
  dismissible: boolean;
  pauseOnHover: boolean;
  /** How long it is shown. */
  durationMs: number;
  leftMs: number;
  /** A notification shows its time running out. */
  isNotification: boolean;
  /** The page that it is about. */
  page: string;
};

/** Success and info 3 s, notifications 5 s, errors 8 s. */
const shownMs = { success: 3000, info: 3000, warning: 5000, error: 8000 } as const;
export const notificationMs = 5000;
/** With an action it stays for a minute; what it offers can be done elsewhere too. */
export const actionMs = 60_000;
export const tickMs = 50;
const stayingAtOnce = 3;

/** A toast as it enters the queue, with every default made plain. */
export function composeToast(
  id: number,
  type: ToastType,
  text: ToastText,
  { isNotification = false, page = '' } = {},
): Toast {
  const usualMs = isNotification ? notificationMs : shownMs[type];
  const durationMs = text.action ? actionMs : (text.durationMs ?? usualMs);
  const { dismissible = true, pauseOnHover = true } = text;
  return { ...text, id, type, dismissible, pauseOnHover, durationMs, leftMs: durationMs, isNotification, page };
}

const stays = (toast: Toast) => toast.action !== undefined;

/**
 * Returns what is on the screen: one timed notice at a time and one timed error beside it, the rest wait their turn. Those that stay
 * stand apart, the newest three, so that an "Undo" nobody presses does not hold up what comes after it.
 */
export function pickShown(queue: readonly Toast[]): Toast[] {
  const notice = queue.find((toast) => !stays(toast) && toast.type !== 'error');
  const error = queue.find((toast) => !stays(toast) && toast.type === 'error');
  const staying = queue.filter(stays).slice(-stayingAtOnce);
  return queue.filter((toast) => toast === notice || toast === error || staying.includes(toast));
}

/** The queue on another page: what was said of the one that was left goes with it. */
export const leavePage = (queue: readonly Toast[], page: string): readonly Toast[] => {
  const staying = queue.filter((toast) => toast.page === page || toast.goesAlong || toast.isNotification);
  return staying.length === queue.length ? queue : staying;
};

/** The queue after a while: what is shown grows older unless it is held, what newer ones cover in any case; what is over leaves. */
export function passTime(queue: readonly Toast[], elapsedMs: number, held: ReadonlySet<number>): readonly Toast[] {
  const shown = new Set(pickShown(queue));
  // What newer ones cover cannot be held any more, whatever was said before they came.
  const ageing = new Set(queue.filter((toast) => (shown.has(toast) ? !held.has(toast.id) : stays(toast))));
  if (ageing.size === 0) return queue;
  return queue
    .map((toast) => (ageing.has(toast) ? { ...toast, leftMs: toast.leftMs - elapsedMs } : toast))
    .filter(({ leftMs }) => leftMs > 0);
}
