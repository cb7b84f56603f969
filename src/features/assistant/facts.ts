import { type Settings, settingsFrom } from '#features/settings/rules.ts';
import type { Facts } from './contract.ts';
import { featuresOf } from './rules.ts';

/** Free and known in many countries; an operator who knows nearer ones names them in the settings. */
export const usualHotlines =
  'Free and confidential help: StopNCII.org (removes intimate images of adults from the large platforms), takeitdown.ncmec.org (for people under 18), findahelpline.com (someone to talk to, in your country).';

/** Returns what help texts say of an installation. */
export const factsOf = (settings: Settings, operatorEmail: string | undefined, sellsPlans = true): Facts => ({
  trialDays: settings['plan.trialDays'],
  priceCents: settings['plan.priceCents'],
  commissionPercent: settings['money.commissionPercent'],
  statementDescriptor: settings['money.statementDescriptor'],
  newPriceCents: settings['money.newSellerCents'],
  mostPriceCents: settings['money.mostPriceCents'],
  provenDays: settings['money.provenDays'],
  provenSales: settings['money.provenSales'],
  leaseSeconds: settings['viewing.leaseSeconds'],
  idleMinutes: settings['viewing.idleMinutes'],
  linkDefaultDays: settings['links.defaultDays'],
  linkUndoHours: settings['links.undoHours'],
  storageBytes: settings['limits.storageBytes'],
  trialStorageBytes: settings['limits.trialStorageBytes'],
  photoBytes: settings['limits.photoBytes'],
  videoBytes: settings['limits.videoBytes'],
  videoMinutes: settings['limits.videoMinutes'],
  videoHours: settings['limits.videoHours'],
  clipBytes: settings['limits.clipBytes'],
  clipMinutes: settings['limits.clipMinutes'],
  filesPerBatch: settings['limits.filesPerBatch'],
  uploadLifeHours: settings['limits.uploadLifeHours'],
  albums: settings['limits.albums'],
  itemsPerAlbum: settings['limits.itemsPerAlbum'],
  links: settings['limits.links'],
  albumsPerLink: settings['limits.albumsPerLink'],
  resendSeconds: settings['accounts.resendSeconds'],
  codeMinutes: settings['accounts.codeMinutes'],
  linkMinutes: settings['accounts.linkMinutes'],
  sessionDays: settings['accounts.sessionDays'],
  operatorEmail: operatorEmail ?? null,
  hotlines: settings['legal.hotlines'] || usualHotlines,
  features: [...featuresOf(sellsPlans)],
});

/** Until the server has answered, and in prerendered pages: what a new installation has. */
export const usualFacts: Facts = factsOf(settingsFrom(new Map()), undefined);
