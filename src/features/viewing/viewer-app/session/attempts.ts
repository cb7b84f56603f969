import type { Opened, Refusal } from '../../contract.ts';
import { deter } from './deterrence.ts';
import { createEventReports, reportEvents } from './event-reports.ts';
import type { Watched } from './observable.ts';
import type { VisitState } from './visit-state.ts';
import { noteWindow } from './window-signs.ts';

export interface Watching {
  state: Watched<VisitState>;
  until: AbortSignal;
  end(refusal: Refusal): void;
}

/** Refuses what copies easily, and reports what was tried. */
export function watchAttempts({ visitId }: Opened, { state, until, end }: Watching): void {
  if (until.aborted) return;
  const screen = `${globalThis.screen.width}x${globalThis.screen.height}`;
  const onWarning = (warning: string) => state.set({ warning });
  const settings = { visitId, screen, send: reportEvents, onWarning, onRefused: end };
  const reports = createEventReports(settings, until);
  deter(until, reports.note);
  noteWindow(until, reports.note);
  const flush = () => document.visibilityState === 'hidden' && reports.flush();
  document.addEventListener('visibilitychange', flush, { signal: until });
  addEventListener('pagehide', reports.flush, { signal: until });
}
