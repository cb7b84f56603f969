import { formatBytes } from '#kit/text.ts';

/** What a copy may be. */
export const [copyForms, clipForms] = ['JPEG, PNG, WebP, HEIC or AVIF', 'MP4, MOV, WebM or MKV'];

/** What a picker offers. */
export const acceptedCopies = 'image/jpeg,image/png,image/webp,image/avif,.heic,.heif,video/*,.mkv';

/** What is known of a chosen file before it is read. */
type Chosen = { name: string; type: string; size: number };
const isClip = ({ type, name }: Chosen) => /^video\//.test(type) || /\.(mp4|m4v|mov|webm|mkv|3gp|avi|ts)$/i.test(name);
const isPicture = ({ type, name }: Chosen) =>
  /^image\/(jpeg|png|webp|heic|heif|avif)$/.test(type) || /\.(jpe?g|png|webp|hei[cf]|avif)$/i.test(name);

/** Why these files are not sent, in a sentence; undefined for one that is. */
export function whyNotSent(
  files: readonly Chosen[],
  most: { photoBytes: number; clipBytes: number },
): string | undefined {
  const [file, ...others] = files;
  if (others.length > 0) return 'Please choose one copy at a time.';
  if (file === undefined) return undefined;
  if (!isPicture(file) && !isClip(file))
    return `Choose a photo or a screenshot (${copyForms}), or a clip (${clipForms}).`;
  if (file.size === 0) return 'This file is empty.';
  const [what, mostBytes] = isClip(file) ? ['A clip', most.clipBytes] : ['A picture', most.photoBytes];
  return file.size > mostBytes ? `${what} can be up to ${formatBytes(mostBytes)}.` : undefined;
}
