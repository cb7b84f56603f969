import { type Settings, settingsFrom } from '#features/settings/rules.ts';
import type { PhotoLimits } from './formats/photo-shapes.ts';

/** Returns what a photo may be, as its operator set it. */
export const photoLimitsOf = (settings: Settings): PhotoLimits => ({
  fileBytes: settings['limits.photoBytes'],
  sidePx: settings['limits.photoSidePx'],
  pixels: settings['limits.photoMegapixels'] * 1e6,
  heicPixels: settings['limits.heicMegapixels'] * 1e6,
  avifPixels: settings['limits.avifMegapixels'] * 1e6,
});

/** What a photo may be until an operator says otherwise. */
export const photoLimits = photoLimitsOf(settingsFrom(new Map()));
