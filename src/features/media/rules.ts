import { hourMs } from '#kit/time.ts';

/** Hours in which a deleted album or picture can be brought back; people are told so when they agree to the terms. */
export const undoHours = 72;
export const undoMs = undoHours * hourMs;

/** Photos and videos. */
export type MediumKind = 'photo' | 'video';

/** The rendition that a medium has in a list: of a video a small poster. */
export const smallRenditionOf = (kind: MediumKind) => (kind === 'video' ? 'posterthumb' : 'thumb512');

/** Whether a rendition is as large as we have it: of these nobody is given many at once. */
export const isFullRendition = (rendition: string) => rendition === 'p2048' || rendition === 'poster';
