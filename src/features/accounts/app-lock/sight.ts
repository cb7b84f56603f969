import { lockAfterMs } from '../rules.ts';

/** An open page says this often that it is in sight: another one of the same browser may have been left. */
const beatMs = 30_000;

interface Ways {
  /** Files are being sent: what is under way is brought to its end. */
  isBusy(): boolean;
  /** A file is being chosen, which on a phone takes the page out of sight. */
  isChoosing(): boolean;
  /** Tells the server that nothing is in sight. */
  leave(): void;
  /** Tells it that something is. */
  stay(): void;
  /** Asks it whether the session is locked. */
  isLocked(): Promise<boolean>;
  /** Hides what is on the page, also from pictures of open apps; or shows it again. */
  cover(isCovered: boolean): void;
  /** Loads the page anew, so that nothing of it is left. */
  reload(): void;
}

/**
 * Watches over a page with an app lock. Out of sight it is covered and says so; a minute later, or when it comes back after that,
 * the server says whether it is locked, and then nothing of it stays.
 */
export function openSight({ isBusy, isChoosing, leave, stay, isLocked, cover, reload }: Ways, now = Date.now) {
  let leftAt: number | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  const every = (ms: number, act: () => void) => {
    clearInterval(timer);
    timer = setInterval(act, ms);
  };
  const look = async () => {
    if (isBusy()) return stay();
    // Who cannot be asked is not believed to be open.
    if (await isLocked().catch(() => true)) reload();
  };
  const beInSight = () => {
    leftAt = undefined;
    cover(false);
    stay();
    every(beatMs, stay);
  };
  const hide = (): void => {
    if (isChoosing()) return;
    cover(true);
    leftAt = now();
    if (!isBusy()) {
      leave();
      every(lockAfterMs, () => void look());
      return;
    }
    every(beatMs, () => {
      if (isBusy()) stay();
      else hide();
    });
  };
  return {
    hide,
    async show(): Promise<void> {
      if (leftAt !== undefined && now() - leftAt >= lockAfterMs && (await isLocked().catch(() => true)))
        return reload();
      beInSight();
    },
    stop(): void {
      clearInterval(timer);
      cover(false);
    },
  };
}
