/*
 * Notes what a visitor looks at who has agreed to it. Phones, slow lines and weak machines are left alone.
 */

import { callMarketing } from './call-marketing.ts';

const narrowPx = 768;
const batchMs = 200;
const cacheMs = 300_000;
const cacheName = 'pf.lowEnd';
const utmNames = ['source', 'medium', 'campaign', 'term', 'content'];

interface Told extends Navigator {
  connection?: { effectiveType?: string };
  deviceMemory?: number;
  globalPrivacyControl?: boolean;
}

function looksLowEnd(): boolean {
  const { connection, deviceMemory = 8 }: Told = navigator;
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

const isLeftAlone = () => innerWidth < narrowPx || (navigator as Told).globalPrivacyControl === true;

/** Whether a visitor is worth asking: whom nobody would measure need not answer. */
export const canBeMeasured = (): boolean => !isLeftAlone() && !looksLowEnd();

const waiting: object[] = [];

function send(): void {
  if (waiting.length === 0) return;
  const visits = waiting.splice(0);
  // It may fail: nobody looks at it.
  callMarketing('noteVisits', { visits }).catch(() => undefined);
}

/** Notes the page that is open now, unless its visitor is left alone. Those that come close together go in one call. */
export function noteVisit(): void {
  if (isLeftAlone() || isLowEnd()) return;
  const search = new URLSearchParams(location.search);
  const utm = utmNames.flatMap((name) => {
    const value = search.get(`utm_${name}`)?.slice(0, 100);
    return value ? [[name, value]] : [];
  });
  if (waiting.length === 0) {
    setTimeout(send, batchMs);
    addEventListener('pagehide', send, { once: true });
  }
  waiting.push({
    path: location.pathname.slice(0, 200),
    referrer: document.referrer.slice(0, 500),
    utm: Object.fromEntries(utm),
  });
}
