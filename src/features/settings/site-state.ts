import { refusals } from '#wire/refusals.ts';
import type { Settings } from './rules.ts';

/** What pages say of the installation as a whole. */
export interface SiteState {
  /** Empty for none. */
  banner: string;
  isMaintenance: boolean;
}

/** The part of the settings that every page shows above itself. */
export const siteStateOf = (settings: Settings): SiteState => ({
  banner: settings['site.banner'].trim(),
  isMaintenance: settings['site.maintenance'] === 1,
});

/** What is said in place of an answer during maintenance. */
export const describeMaintenance = ({ banner }: Pick<SiteState, 'banner'>): string =>
  banner || refusals.MAINTENANCE.message;
