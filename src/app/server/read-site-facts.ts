import type { SiteFacts } from '#app/pages/site-facts.ts';
import type { Engines } from '#engines/engines.ts';
import { factsOf } from '#features/assistant/facts.ts';
import { readFacts } from '#features/marketing/facts-in-force.ts';
import { settingsOf } from '#features/settings/settings.ts';

/** What the public pages and the help texts say now. */
export async function readSiteFacts(engines: Engines): Promise<SiteFacts> {
  const [site, settings] = await Promise.all([readFacts(engines), settingsOf(engines)]);
  return { site, help: factsOf(settings, engines.installation.operatorEmail, site.sellsPlans) };
}
