import type { Refusal } from '../../contract.ts';
import type { AttemptType } from './attempt-keys.ts';
import { refusalFrom } from './renewal.ts';

/** What is sent of a visit's attempts: each kind once, with how often it happened. */
export interface EventReport {
  visitId: string;
  /** The same when it is sent once more. */
  reportId: string;
  events: { type: AttemptType; count: number }[];
  screen: string;
}

/** What the server says to it. */
export type ReportAnswer = { warning?: string } | { refusal: Refusal } | 'lost';

export interface EventReports {
  note(type: AttemptType): void;
  /** Sends what waits now: the page may go away. */
  flush(): void;
}

export interface EventReportsSettings {
  visitId: string;
  screen: string;
  send(report: EventReport): Promise<ReportAnswer>;
  onWarning(text: string): void;
  onRefused(refusal: Refusal): void;
}

/** What is pressed in quick succession goes in one call, which is still there within a second. */
const gatherMs = 250;
/** A report that was lost is sent once more as it was: it may have arrived, and only its answer been lost. */
const againMs = 5000;
const mostCount = 100;

/** Gathers what was tried on a page and reports it. One call is on its way at a time. */
export function createEventReports(
  { visitId, screen, send, onWarning, onRefused }: EventReportsSettings,
  until: AbortSignal,
): EventReports {
  const waiting = new Map<AttemptType, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSending = false;
  let lost: EventReport | undefined;

  const add = (type: AttemptType, count: number) =>
    waiting.set(type, Math.min(mostCount, (waiting.get(type) ?? 0) + count));
  const plan = (ms: number) => {
    timer ??= setTimeout(() => void flush(), ms);
  };
  const gather = (): EventReport => {
    const events = [...waiting].map(([type, count]) => ({ type, count }));
    waiting.clear();
    return { visitId, reportId: Math.random().toString(36).slice(2), events, screen };
  };
  const take = (answer: ReportAnswer, report: EventReport) => {
    lost = answer === 'lost' ? report : undefined;
    if (answer === 'lost') return;
    if ('refusal' in answer) onRefused(answer.refusal);
    else if (answer.warning !== undefined) onWarning(answer.warning);
  };
  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    if (isSending || (waiting.size === 0 && lost === undefined)) return;
    const report = lost ?? gather();
    isSending = true;
    const answer = await send(report);
    isSending = false;
    if (until.aborted) return;
    take(answer, report);
    if (until.aborted) return;
    if (lost !== undefined) plan(againMs);
    else if (waiting.size > 0) plan(gatherMs);
  };
  until.addEventListener('abort', () => clearTimeout(timer));
  return {
    note(type) {
      if (until.aborted) return;
      add(type, 1);
      if (!isSending) plan(gatherMs);
    },
    flush: () => void flush(),
  };
}

/** Sends one report, so that it outlives a page that goes away meanwhile. Too many of them are dropped, not sent again. */
export async function reportEvents(report: EventReport): Promise<ReportAnswer> {
  try {
    const answer = await fetch('/api/v1/view/events', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': 'orpc' },
      body: JSON.stringify(report),
      keepalive: true,
    });
    const said = await answer.json();
    if (answer.ok) return said;
    if (answer.status === 410) return { refusal: refusalFrom(said) };
    return answer.status >= 500 ? 'lost' : {};
  } catch {
    return 'lost';
  }
}
