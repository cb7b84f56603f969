import type { Visit } from '../viewer-app.ts';
import { deter } from './deterrence.ts';
import { createEventReports, reportEvents } from './event-reports.ts';
import { noteWindow } from './window-signs.ts';

/** Refuses what copies easily, and reports what was tried, as long as the visit goes on. */
export function watchAttempts({ opened, until, warn, end }: Pick<Visit, 'opened' | 'until' | 'warn' | 'end'>): void {
  if (until.aborted) return;
  const { width, height } = globalThis.screen;
  const settings = { visitId: opened.visitId, screen: `${width}x${height}`, send: reportEvents };
  const reports = createEventReports({ ...settings, onWarning: warn, onRefused: end }, until);
  deter(until, reports.note);
  noteWindow(until, reports.note);
  const flush = () => document.visibilityState === 'hidden' && reports.flush();
  document.addEventListener('visibilitychange', flush, { signal: until });
  addEventListener('pagehide', reports.flush, { signal: until });
}
