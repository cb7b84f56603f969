import { formatBytes } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import type { OwnExport } from './contract.ts';
import { exportKeptDays } from './rules.ts';

/** Tells how the newest export is; nothing where there is none. */
export function describeExport({ newest }: OwnExport, now: Date): string {
  if (newest === null) return '';
  const { state, sizeBytes, expiresAt, failure, hasOriginals } = newest;
  if (state === 'ready')
    return `Your export is ready: ${formatBytes(sizeBytes ?? 0)}${hasOriginals ? '' : ', without photos and videos'}. You can download it until ${expiresAt === null ? '' : formatMoment(expiresAt, now)}.`;
  if (state === 'expired') return `Your last export was deleted. Each one is kept for ${exportKeptDays} days.`;
  if (state === 'failed')
    return failure === 'no_room'
      ? "Your last export wasn't made: there was no room for it. Try again later, or leave out your photos and videos."
      : "Your last export wasn't made. Please ask for it again; if it fails once more, write to us.";
  return "Your export is being made. You can close this page: we'll send an email when it's ready.";
}

/** Tells when the next one may be asked for. */
export const describeNext = (nextAt: Date, now: Date): string =>
  `You can ask for another one from ${formatMoment(nextAt, now)}.`;
