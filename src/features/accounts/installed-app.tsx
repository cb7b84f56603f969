import { useEffect } from 'react';
import { applyInstallLook } from './home-screen/install-look.tsx';

type Badged = { clearAppBadge?: () => Promise<void> };

/** Whoever is here sees what the number on the icon was about. */
function clearBadge(): void {
  if (!document.hidden) (navigator as Badged).clearAppBadge?.().catch(() => undefined);
}

/** Makes the studio an app that can be installed: its service worker, its manifest, the number on its icon. It draws nothing. */
export function InstalledApp() {
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
