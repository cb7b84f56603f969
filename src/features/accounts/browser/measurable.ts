/*
 * Whom nobody measures: phones, slow lines and weak machines are left alone, and so is who does not want it.
 */

import { readConsent } from '../visitor.ts';

const narrowPx = 768;
const cacheMs = 300_000;
const cacheName = 'pf.lowEnd';

interface HintingNavigator extends Navigator {
  connection?: { effectiveType?: string };
  deviceMemory?: number;
  globalPrivacyControl?: boolean;
}

function looksLowEnd(): boolean {
  const { connection, deviceMemory = 8 }: HintingNavigator = navigator;
  return deviceMemory <= 4 || /^(slow-2g|2g|3g)$/.test(connection?.effectiveType ?? '');
}

/** The same, asked for once in five minutes. */
function isLowEnd(): boolean {
  try {
    const [said, at] = (sessionStorage.getItem(cacheName) ?? '').split(' ');
    if (Date.now() - Number(at ?? 0) < cacheMs) return said === 'yes';
    const isSo = looksLowEnd();
    sessionStorage.setItem(cacheName, `${isSo ? 'yes' : 'no'} ${Date.now()}`);
    return isSo;
  } catch {
    return looksLowEnd(); // nothing may be kept here
  }
}

const isLeftAlone = () => innerWidth < narrowPx || (navigator as HintingNavigator).globalPrivacyControl === true;

/** Returns whether a visitor is worth asking: whom nobody would measure need not answer. */
export const canBeMeasured = (): boolean => !isLeftAlone() && !looksLowEnd();

/** Whether a visitor is to be measured now; with their consent alone. */
export const isMeasured = (): boolean => readConsent(document.cookie) === 'yes' && !isLeftAlone() && !isLowEnd();
