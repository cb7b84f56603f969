import { type Settings, settingsFrom } from './rules.ts';

/** What pages do or say by the settings in force. */
export interface PageLimits {
  filesPerBatch: number;
  parallelUploads: number;
  chunkBytes: number;
  leaseSeconds: number;
  /** Where the share sheet begins. */
  linkDefaultDays: number;
  /** How long a revoked link can be restored, in hours. */
  linkUndoHours: number;
  /** What one creator may store, counted on originals: with a plan, and during the trial. */
  storageBytes: number;
  trialStorageBytes: number;
  /** The largest photo. */
  photoBytes: number;
  /** The largest and the longest clip that is submitted as a leaked copy. */
  clipBytes: number;
  clipMinutes: number;
}

/** The part of the settings that every page is told. */
export const pageLimitsOf = (settings: Settings): PageLimits => ({
  filesPerBatch: settings['limits.filesPerBatch'],
  parallelUploads: settings['limits.parallelUploads'],
  chunkBytes: settings['limits.chunkBytes'],
  leaseSeconds: settings['viewing.leaseSeconds'],
  linkDefaultDays: settings['links.defaultDays'],
  linkUndoHours: settings['links.undoHours'],
  storageBytes: settings['limits.storageBytes'],
  trialStorageBytes: settings['limits.trialStorageBytes'],
  photoBytes: settings['limits.photoBytes'],
  clipBytes: settings['limits.clipBytes'],
  clipMinutes: settings['limits.clipMinutes'],
});

/** Until the server has answered, and in prerendered pages: what a new installation has. */
export const usualLimits: PageLimits = pageLimitsOf(settingsFrom(new Map()));
