import { useSyncExternalStore } from 'react';

/** What an installation of this browser's is called and looks like; chosen on each device for itself. */
const looks = {
  usual: { manifest: '/manifest.webmanifest', icon: '/icons/usual-180.png', title: 'PrivateFans' },
  neutral: { manifest: '/manifest-neutral.webmanifest', icon: '/icons/neutral-180.png', title: 'PF' },
} as const;

const key = 'pf.neutral-icon';
const listeners = new Set<() => void>();

function readNeutral(): boolean {
  try {
    return localStorage.getItem(key) === '1';
  } catch {
    return false; // denied: the usual one
  }
}

/** Names the manifest and the icon that an installation takes. */
export function applyInstallLook(): void {
  const { manifest, icon, title } = looks[readNeutral() ? 'neutral' : 'usual'];
  const set = (selector: string, attribute: string, value: string) =>
    document.head.querySelector(selector)?.setAttribute(attribute, value);
  set('link[rel="manifest"]', 'href', manifest);
  set('link[rel="apple-touch-icon"]', 'href', icon);
  set('meta[name="apple-mobile-web-app-title"]', 'content', title);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Returns whether this device installs under a name that says nothing, and what changes it. */
export function useNeutralLook(): [isNeutral: boolean, choose: (isNeutral: boolean) => void] {
  const isNeutral = useSyncExternalStore(subscribe, readNeutral, () => false);
  const choose = (wanted: boolean) => {
    try {
      if (wanted) localStorage.setItem(key, '1');
      else localStorage.removeItem(key);
    } catch {
      return; // denied: it stays as it is
    }
    applyInstallLook();
    for (const listener of listeners) listener();
  };
  return [isNeutral, choose];
}
