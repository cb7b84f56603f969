import { findWayHome, type WayHome } from './way-home.ts';

/** The way to this device's home screen; nothing on a computer, and in an app that stands there already. */
export function findOwnWayHome(): WayHome | undefined {
  return isInstalled() ? undefined : findWayHome(navigator.userAgent, navigator.maxTouchPoints);
}

/** Returns whether this is the app on the home screen itself. */
export const isInstalled = (): boolean =>
  window.matchMedia('(display-mode: standalone)').matches ||
  (navigator as { standalone?: boolean }).standalone === true;
