import { formatBytes } from '#kit/text.ts';

/** What a copy may be. */
export const copyForms = 'JPEG, PNG, WebP, HEIC or AVIF';

/** What is known of a chosen file before it is read. */
type Chosen = { name: string; type: string; size: number };
const isPicture = ({ type, name }: Chosen) =>
  /^image\/(jpeg|png|webp|heic|heif|avif)$/.test(type) || /\.(jpe?g|png|webp|hei[cf]|avif)$/i.test(name);

/** Why these files are not sent, in a sentence; undefined for one that is. */
export function whyNotSent(files: readonly Chosen[], mostBytes: number): string | undefined {
  const [file, ...others] = files;
  if (others.length > 0) return 'One copy at a time.';
  if (file !== undefined && !isPicture(file)) return `Choose a photo or a screenshot: ${copyForms}.`;
  if (file !== undefined && file.size === 0) return 'This file is empty.';
  return file !== undefined && file.size > mostBytes ? `A copy can be up to ${formatBytes(mostBytes)}.` : undefined;
}
