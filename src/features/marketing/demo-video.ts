/** What the landing page plays: a file of our own, or a page of somebody else's in a frame. */
export type ChosenVideo = { kind: 'file'; src: string; poster: string } | { kind: 'embed'; src: string };

/** The video that comes with the product, and the day it was made. */
export const builtInVideo = { src: '/demo-video.mp4', poster: '/demo-video.jpg', madeOn: '2026-11-26' } as const;

/** A watch, short or embed address of YouTube, with the eleven characters of its video. */
const youtube =
  /^(?:https?:\/\/)?(?:www\.|m\.)?(?:youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|shorts\/|embed\/)|youtu\.be\/)([\w-]{11})(?![\w-])/;

/**
 * Which video the landing page plays. An address of YouTube becomes an embed address; another one is taken as it is when it says
 * "embed" and can be framed, which takes https; anything else means the built-in one, if there is one.
 */
export function chooseVideo(address: string, hasBuiltIn: boolean): ChosenVideo | null {
  const [, id] = youtube.exec(address) ?? [];
  if (id !== undefined) return { kind: 'embed', src: `https://www.youtube.com/embed/${id}` };
  if (address.includes('embed') && isFrameable(address)) return { kind: 'embed', src: address };
  return hasBuiltIn ? { kind: 'file', src: builtInVideo.src, poster: builtInVideo.poster } : null;
}

/** What stands in a policy and in an attribute: one origin, no sign that would end it. */
function isFrameable(address: string): boolean {
  return URL.canParse(address) && new URL(address).protocol === 'https:' && !/[\s;,'"<>]/.test(address);
}
