/*
 * Notes what a visitor looks at who has agreed to it. Phones, slow lines and weak machines are left alone.
 */

import { isMeasured } from '#features/accounts/browser/measurable.ts';
import { callMarketing } from './call-marketing.ts';

const batchMs = 200;
const utmNames = ['source', 'medium', 'campaign', 'term', 'content'];

const waiting: object[] = [];

function send(): void {
  if (waiting.length === 0) return;
  const visits = waiting.splice(0);
  // It may fail: nobody looks at it.
  callMarketing('noteVisits', { visits }).catch(() => undefined);
}

/** Notes the page that is open now, unless its visitor is left alone. Those that come close together go in one call. */
export function noteVisit(): void {
  if (!isMeasured()) return;
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
