import { codewordTrack } from '#features/media/formats/codeword.ts';
import type { Reading } from '../findings.ts';

/**
 * Clips of one video show different seconds of it, or the same ones twice: all of them together are one reading. Which numbers are
 * added follows from what was seen alone.
 */
export function joinSeconds(readings: readonly Reading[]): Reading[] {
  const joined: Reading[] = [];
  for (const reading of readings) {
    const isVideo = codewordTrack(reading.track) === 'video';
    const at = isVideo ? joined.findIndex((other) => isSameVideo(other, reading)) : -1;
    if (at >= 0) joined[at] = add(joined[at] as Reading, reading);
    else joined.push(reading);
  }
  return joined;
}

const isSameVideo = (one: Reading, other: Reading): boolean =>
  one.mediaId === other.mediaId &&
  codewordTrack(one.track) === codewordTrack(other.track) &&
  one.z.length === other.z.length;

function add(one: Reading, other: Reading): Reading {
  const isRead = ({ visible }: Reading, n: number) => (visible[n] ?? 0) > 0;
  const z = one.z.map((value, n) => {
    const second = other.z[n] ?? 0;
    if (!isRead(other, n)) return value;
    return isRead(one, n) ? (value + second) / Math.SQRT2 : second;
  });
  return { ...one, z, visible: one.visible.map((share, n) => Math.max(share, other.visible[n] ?? 0)) };
}
