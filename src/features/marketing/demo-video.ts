import { readUrl } from '#kit/read-url.ts';

/** A video of our own. */
interface OwnVideo {
  src: string;
  poster: string;
}

/** What the landing page plays: a file of our own, or a page of somebody else's in a frame. */
export type ChosenVideo =
  | ({ kind: 'file' } & OwnVideo)
  /** Our own comes where somebody else's page does not; null when none was made. */
  | { kind: 'embed'; src: string; fallback: OwnVideo | null };

/** The video that comes with the product, and the day it was made. */
export const builtInVideo = { src: '/demo-video.mp4', poster: '/demo-video.jpg', madeOn: '2026-11-26' } as const;

/** A watch, short or embed address of YouTube, with the eleven characters of its video. */
const youtube =
  /^(?:https?:\/\/)?(?:www\.|m\.)?(?:youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|shorts\/|embed\/)|youtu\.be\/)([\w-]{11})(?![\w-])/;

/**
 * Returns which video the landing page plays. An address of YouTube becomes an embed address; another one is taken as it is when it says
 * "embed" and can be framed, which takes https; anything else means the built-in one, if there is one.
 */
export function chooseVideo(address: string, hasBuiltIn: boolean): ChosenVideo | null {
  const [, id] = youtube.exec(address) ?? [];
  const own = hasBuiltIn ? { src: builtInVideo.src, poster: builtInVideo.poster } : null;
  if (id !== undefined) return { kind: 'embed', src: `https://www.youtube.com/embed/${id}`, fallback: own };
  if (address.includes('embed') && isFrameable(address)) return { kind: 'embed', src: address, fallback: own };
  return own && { kind: 'file', ...own };
}

/** Returns what stands in a policy and in an attribute: one origin, no sign that would end it. */
function isFrameable(address: string): boolean {
  return readUrl(address)?.protocol === 'https:' && !/[\s;,'"<>]/.test(address);
}
