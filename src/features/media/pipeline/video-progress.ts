import { DatabaseAway } from '#engines/database/away.ts';
import type { Engines } from '#engines/engines.ts';
import { findAttempt, noteProgress, type VideoAttempt } from './video-store.ts';

/** The video was deleted while it was made, or a later try has begun it again. */
export class VideoSuperseded extends Error {
  constructor() {
    super('nobody wants this video any more');
    this.name = 'VideoSuperseded';
  }
}

/** What accompanies the making of a video. */
export interface VideoWatch {
  /** Fires with `VideoSuperseded` when the video is gone, else with the reason of whoever stops the work. */
  signal: AbortSignal;
  /** Hears a share from 0 to 1. */
  report(share: number): void;
  end(): void;
}

const lookEveryMs = 500;
/** A percent is told at most so often; every telling makes the studio read. */
const notifyEveryMs = 2000;

/** Looks twice a second whether a video is still wanted, and writes down how far it is. */
export function watchVideo({ database, log }: Engines, attempt: VideoAttempt, stop: AbortSignal): VideoWatch {
  const gone = new AbortController();
  let [reached, published, publishedAtMs] = [0, 0, 0];
  let isLooking = false;
  const look = async () => {
    const now = performance.now();
    const isNews = reached > published && now - publishedAtMs >= notifyEveryMs;
    if (isNews) [published, publishedAtMs] = [reached, now];
    const isThere = isNews
      ? await database.work({ kind: 'system' }, (tx) => noteProgress(tx, attempt, published))
      : (await findAttempt(database, attempt)) === 'wanted';
    if (!isThere) gone.abort(new VideoSuperseded());
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch((error: unknown) => {
        // A database that is away for a moment does not end an hour's work.
        if (!(error instanceof DatabaseAway))
          log.warn({ mediaId: attempt.mediaId, error: String(error) }, 'a video could not be watched');
      })
      .finally(() => {
        isLooking = false;
      });
  }, lookEveryMs);
  return {
    signal: AbortSignal.any([stop, gone.signal]),
    report(share) {
      // The last hundredth is the storing.
      reached = Math.max(reached, Math.floor(99 * share));
    },
    end: () => clearInterval(timer),
  };
}
