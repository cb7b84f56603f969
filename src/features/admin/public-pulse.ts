import * as z from 'zod';
import { pulseLights, pulseParts } from '#wire/pulse.ts';
import type { PulsePartState } from './operations-contract.ts';

const Health = z.object({
  version: z.string(),
  parts: z.partialRecord(z.enum(pulseParts), z.enum(pulseLights)),
});

/** Reads the lights that anybody may see. @throws when nobody answers */
export async function readPublicPulse(): Promise<{ parts: PulsePartState[]; version: string }> {
  const answer = await fetch('/api/health', { cache: 'no-store' });
  const { version, parts } = Health.parse(await answer.json());
  return {
    version,
    parts: pulseParts.flatMap((part) => {
      const light = parts[part];
      return light === undefined ? [] : [{ part, light, finding: '', since: null }];
    }),
  };
}
