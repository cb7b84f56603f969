import { formatCount } from '#kit/text.ts';

type Kind = 'photo' | 'video';

/** Returns what one medium is called: "Photo", "Video". */
export const nameOfKind = (kind: Kind): string => (kind === 'video' ? 'Video' : 'Photo');

/** Some media with their noun: "2 photos", "1 video", and "3 items" where both are among them. */
export function countMedia(media: readonly { kind: Kind }[]): string {
  const videos = media.filter(({ kind }) => kind === 'video').length;
  const noun = videos === 0 ? 'photo' : videos === media.length ? 'video' : 'item';
  return formatCount(media.length, noun);
}
