import type { Refusal, Sample } from '../../contract.ts';
import type { Renewal, Renewed, Report } from './renewal.ts';

export interface LeaseRenewerSettings {
  visitId: string;
  /** When the first renewal is due. */
  renewAfterMs: number;
  send(report: Report): Promise<Renewal>;
  /** What was looked at since the last report. */
  gather(): { samples: Sample[]; lookingAt?: string; idleMs: number };
  /** Samples of a report that did not arrive. */
  onLost(samples: readonly Sample[]): void;
  onRenewed(renewed: Renewed): void;
  onRefused(refusal: Refusal): void;
  /** The line is broken; the renewer goes on trying. */
  onOffline(): void;
}

/** Keeps the right to look alive, one call every 15 s, and brings word of what was looked at. */
export interface LeaseRenewer {
  /** Renews now; when a renewal is under way, right after it. */
  renewNow(): void;
  /** Renews as well, and takes no yes that was asked for before now: what was allowed then may have ended. */
  renewAfterEnd(): void;
  /** Tells what was seen and lets the right run out: nobody looks. */
  rest(): void;
  /** The page goes away. Browsers call it hidden as well, before or after: what comes after these last words would take their time. */
  leave(): void;
  /** Nothing is renewed any more. */
  stop(): void;
}

const firstRetryMs = 1000;
/** What was away is noticed to be back so soon that pictures stand again within three seconds. */
const longestRetryMs = 1600;
/** After a try that had no answer for long, the next one comes at once, but not quite. */
const leastRetryMs = 100;

/** How long it takes from one try to the next while there is no answer. */
function paceRetries() {
  let retryMs = firstRetryMs;
  return {
    /** @param tookMs how long the last one took */
    nextMs(tookMs: number): number {
      // From one try to the next; screens that lost the same server do not all come back at once.
      const ms = Math.max(leastRetryMs, retryMs - tookMs) * (0.75 + Math.random() / 2);
      retryMs = Math.min(2 * retryMs, longestRetryMs);
      return ms;
    },
    reset() {
      retryMs = firstRetryMs;
    },
  };
}

/** What the server is told of the visit, one report after another. */
function createReports(
  { visitId, send, gather, onLost }: LeaseRenewerSettings,
  onAnswer: (renewal: Renewal, samples: readonly Sample[], tookMs: number) => void,
) {
  /** What was told and not answered yet. */
  let underWay: readonly Sample[] | undefined;
  /** Something has ended since it was sent. */
  let isOutdated = false;
  return {
    isUnderWay: () => underWay !== undefined,
    isOutdated: () => isOutdated,
    outdate() {
      isOutdated = underWay !== undefined;
    },
    async tell() {
      const began = performance.now();
      const gathered = gather();
      const { samples } = gathered;
      [underWay, isOutdated] = [samples, false];
      const renewal = await send({ visitId, ...gathered, leaving: false });
      underWay = undefined;
      onAnswer(renewal, samples, performance.now() - began);
    },
    sendLast() {
      // What is under way may never arrive. Told twice it counts once: no more is credited than time went by, and seconds are a set.
      if (underWay !== undefined) onLost(underWay);
      void send({ visitId, ...gather(), leaving: true });
    },
  };
}

export function createLeaseRenewer(settings: LeaseRenewerSettings): LeaseRenewer {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let state: 'on' | 'resting' | 'left' | 'stopped' = 'on';
  let isWantedAgain = false;
  const pace = paceRetries();
  const renewIn = (ms: number) => {
    clearTimeout(timer);
    if (state === 'on') timer = setTimeout(() => void renew(), ms);
  };
  const take = (renewal: Renewal, samples: readonly Sample[], tookMs: number) => {
    if (state === 'stopped' || state === 'left') return;
    if (renewal === 'offline') {
      settings.onLost(samples);
      settings.onOffline();
      return renewIn(pace.nextMs(tookMs));
    }
    pace.reset();
    if ('refusal' in renewal) {
      state = 'stopped';
      return settings.onRefused(renewal.refusal);
    }
    if (!reports.isOutdated()) settings.onRenewed(renewal.renewed);
    renewIn(isWantedAgain ? 0 : renewal.renewed.renewAfterMs);
  };
  const reports = createReports(settings, take);
  const renew = async () => {
    isWantedAgain = reports.isUnderWay();
    if (isWantedAgain) return;
    clearTimeout(timer);
    await reports.tell();
  };
  const renewNow = () => {
    if (state === 'stopped') return;
    state = 'on';
    void renew();
  };
  renewIn(settings.renewAfterMs);
  return {
    renewNow,
    renewAfterEnd() {
      reports.outdate();
      renewNow();
    },
    rest() {
      if (state !== 'on') return;
      void renew();
      state = 'resting';
    },
    leave() {
      if (state === 'stopped' || state === 'left') return;
      state = 'left';
      clearTimeout(timer);
      reports.sendLast();
    },
    stop() {
      state = 'stopped';
      clearTimeout(timer);
    },
  };
}
