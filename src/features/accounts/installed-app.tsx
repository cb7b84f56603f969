import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { applyInstallLook } from './home-screen/install-look.tsx';

type Badged = { clearAppBadge?: () => Promise<void> };

/** Whoever is here sees what the number on the icon was about. */
function clearBadge(): void {
  if (!document.hidden) (navigator as Badged).clearAppBadge?.().catch(() => undefined);
}

/** Returns where a notification leads that was tapped; the same message as in `public/sw.js`. */
const readWay = ({ data }: MessageEvent): string | undefined =>
  data?.kind === 'go' && typeof data.path === 'string' ? data.path : undefined;

/** Goes where a tapped notification leads, and tells the service worker that no other page is needed. */
function useTappedNotices(): void {
  const navigate = useNavigate();
  const go = useEffectEvent((event: MessageEvent) => {
    const path = readWay(event);
    if (path === undefined) return;
    event.ports[0]?.postMessage('gone');
    void navigate(path);
  });
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return;
    const onMessage = (event: MessageEvent) => go(event);
    navigator.serviceWorker.addEventListener('message', onMessage);
    return () => navigator.serviceWorker.removeEventListener('message', onMessage);
  }, []);
}

/** Makes the studio an app that can be installed: its service worker, its manifest, the number on its icon, the way from a notification. It draws nothing. */
export function InstalledApp() {
  useTappedNotices();
  useEffect(() => {
    applyInstallLook();
    // Not over plain http, and not where it is denied: then there is no app, and the same pages.
    if ('serviceWorker' in navigator) navigator.serviceWorker.register('/sw.js').catch(() => undefined);
    clearBadge();
    document.addEventListener('visibilitychange', clearBadge);
    return () => document.removeEventListener('visibilitychange', clearBadge);
  }, []);
  return null;
}
