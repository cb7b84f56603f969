import type { Engines } from '#engines/engines.ts';
import { keep } from '#features/settings/kept.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { listConfirmations } from './claims/claims-store.ts';
import type { Facts } from './contract.ts';
import { factsOf } from './facts.ts';

const confirmationsOf = keep(listConfirmations);

/** What the public pages say now. */
export async function readFacts(engines: Engines): Promise<Facts> {
  const [settings, confirmations] = await Promise.all([settingsOf(engines), confirmationsOf(engines)]);
  const sellsPlans = !engines.payments.isOff;
  const named = { ...engines.installation, assistantHost: engines.assistant.host, sellsPlans };
  return factsOf(named, settings, confirmations, new Date(engines.clock()));
}
