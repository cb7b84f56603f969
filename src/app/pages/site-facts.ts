import type { Facts as HelpFacts } from '#features/assistant/contract.ts';
import type { Facts } from '#features/marketing/contract.ts';

/** What the public pages and the help texts say by the settings in force. */
export interface SiteFacts {
  site: Facts;
  help: HelpFacts;
}
