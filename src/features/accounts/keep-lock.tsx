import { useEffectEvent, useLayoutEffect } from 'react';
import { dayMs } from '#kit/time.ts';
import { readOwed, writeOwed } from './app-lock/owed.ts';
import { openSight } from './app-lock/sight.ts';
import { accounts } from './guard.tsx';

/** Also for a page that is being closed. @returns whether the server has taken it */
async function send(path: 'leave' | 'stay', body: object): Promise<boolean> {
  const headers = { 'x-csrf-token': 'orpc', 'content-type': 'application/json' };
  const asked = { method: 'POST', headers, body: JSON.stringify(body), keepalive: true };
  try {
    return (await fetch(`/api/v1/app-lock/${path}`, asked)).ok;
  } catch {
    return false;
  }
}

async function isLocked(): Promise<boolean> {
  const { user } = await accounts.me.call();
  // Of a session that is over nothing stays, either.
  return user === null;
}

const isFileInput = ({ target }: Event) => target instanceof HTMLInputElement && target.type === 'file';

/**
 * Keeps the app lock of this page; it draws nothing.
 * @param isBusy whether files are being sent
 */
export function KeepLock({ isBusy }: { isBusy: () => boolean }) {
  const isSending = useEffectEvent(isBusy);
  // Before anything is painted: the page may have been left long ago.
  useLayoutEffect(() => {
    let isChoosing = false;
    const choose = (event: Event) => {
      if (isFileInput(event)) isChoosing = event.type === 'click';
    };
    const sight = openSight({
      isBusy: () => isSending(),
      isChoosing: () => isChoosing,
      leave: (goneMs) => send('leave', { goneMs: Math.min(Math.round(goneMs), dayMs) }),
      stay: (isAtWork) => send('stay', { isAtWork }),
      isLocked,
      cover: (isCovered) => {
        document.body.hidden = isCovered;
      },
      reload: () => window.location.reload(),
      owed: { read: readOwed, write: writeOwed },
    });
    const look = () => {
      if (document.hidden) return sight.hide();
      void sight.show();
      isChoosing = false;
    };
    look();
    const choosing = ['click', 'change', 'cancel'];
    document.addEventListener('visibilitychange', look);
    for (const kind of choosing) document.addEventListener(kind, choose, { capture: true });
    return () => {
      document.removeEventListener('visibilitychange', look);
      for (const kind of choosing) document.removeEventListener(kind, choose, { capture: true });
      sight.stop();
    };
  }, []);
  return null;
}
