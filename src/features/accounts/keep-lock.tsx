import { useEffect, useEffectEvent } from 'react';
import { openSight } from './app-lock/sight.ts';
import { accounts } from './guard.tsx';

const ignore = () => undefined;

/** Also for a page that is being closed. */
function leave(): void {
  const headers = { 'x-csrf-token': 'orpc', 'content-type': 'application/json' };
  fetch('/api/v1/app-lock/leave', { method: 'POST', headers, body: '{}', keepalive: true }).catch(ignore);
}

const isFileInput = ({ target }: Event) => target instanceof HTMLInputElement && target.type === 'file';

/**
 * Keeps the app lock of this page; it draws nothing.
 * @param isBusy whether files are being sent
 */
export function KeepLock({ isBusy }: { isBusy: () => boolean }) {
  const isSending = useEffectEvent(isBusy);
  useEffect(() => {
    let isChoosing = false;
    const choose = (event: Event) => {
      if (isFileInput(event)) isChoosing = event.type === 'click';
    };
    const sight = openSight({
      isBusy: () => isSending(),
      isChoosing: () => isChoosing,
      leave,
      stay: () => void accounts.stayInApp.call().catch(ignore),
      isLocked: async () => (await accounts.me.call()).isLocked,
      cover: (isCovered) => {
        document.body.hidden = isCovered;
      },
      reload: () => window.location.reload(),
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
