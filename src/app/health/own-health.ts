import type { Engines } from '#engines/engines.ts';
import type { Pulse } from '#wire/pulse.ts';
import { type CallFigures, openCallFigures } from '../figures/call-figures.ts';
import { listProbes } from './probes.ts';
import { openPulse } from './pulse.ts';
import { startHeart } from './worker-heart.ts';

/** How this process looks at the installation, and says that it is there itself. */
export interface OwnHealth {
  pulse: Pulse;
  /** How often everything is called, and how long it takes. */
  calls: CallFigures;
  /** @param runsJobs whether this process is one of those that run jobs */
  begin(runsJobs: boolean): void;
  end(): Promise<void>;
}

/** Opens it; nothing is looked at before it begins, unless an administrator watches. */
export function openOwnHealth(engines: Engines): OwnHealth {
  const pulse = openPulse(listProbes(engines), engines);
  const calls = openCallFigures(engines);
  let stopHeart = async (): Promise<void> => undefined;
  return {
    pulse,
    calls,
    begin(runsJobs) {
      pulse.keepLooking();
      calls.begin();
      if (runsJobs) stopHeart = startHeart(engines);
    },
    async end() {
      pulse.close();
      await Promise.all([stopHeart(), calls.end()]);
    },
  };
}
