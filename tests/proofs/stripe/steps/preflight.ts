import { apiVersion } from '#engines/payments/payments.ts';
import type { Step } from '../step.ts';

/** Everything that has to be set in the dashboard, and each permission of the key. */
export const preflight: Step = {
  name: 'the key, its permissions, the portal and the schedule of payouts',
  expects: { version: apiVersion, lacking: {}, portal: 'cards can be changed', ownPayouts: 'manual' },
  run: ({ people }) => people.inspect(),
};
