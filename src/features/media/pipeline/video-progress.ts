import { DatabaseAway } from '#engines/database/away.ts';
import type { Engines } from '#engines/engines.ts';
import { type FilmAttempt, findStanding, noteProgress } from './video-store.ts';

/** The film was deleted while it was made, or a later try has begun it anew. */
export class NobodyWants extends Error {
  constructor() {
    super('nobody wants this film any more');
    this.name = 'NobodyWants';
  }
}

/** What accompanies the making of a film. */
export interface FilmWatch {
  /** Fires with `NobodyWants` when the film is gone, else with the reason of whoever stops the work. */
  signal: AbortSignal;
  /** Hears a share from 0 to 1. */
  hear(share: number): void;
  end(): void;
}

const lookEveryMs = 500;
/** A percent is told at most so often; every telling makes the studio read. */
const tellEveryMs = 2000;

/** Looks twice a second whether a film is still wanted, and writes down how far it is. */
export function watchFilm({ database, log }: Engines, attempt: FilmAttempt, stop: AbortSignal): FilmWatch {
  const gone = new AbortController();
  let [heard, told, toldAtMs] = [0, 0, 0];
  let isLooking = false;
  const look = async () => {
    const now = performance.now();
    const isNews = heard > told && now - toldAtMs >= tellEveryMs;
    if (isNews) [told, toldAtMs] = [heard, now];
    const isThere = isNews
      ? await database.work({ kind: 'system' }, (tx) => noteProgress(tx, attempt, told))
      : (await findStanding(database, attempt)) === 'wanted';
    if (!isThere) gone.abort(new NobodyWants());
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch((error: unknown) => {
        // A database that is away for a moment does not end an hour's work.
        if (!(error instanceof DatabaseAway))
          log.warn({ mediaId: attempt.mediaId, error: String(error) }, 'a film could not be watched');
      })
      .finally(() => {
        isLooking = false;
      });
  }, lookEveryMs);
  return {
    signal: AbortSignal.any([stop, gone.signal]),
    hear(share) {
      // The last hundredth is the storing.
      heard = Math.max(heard, Math.floor(99 * share));
    },
    end: () => clearInterval(timer),
  };
}
