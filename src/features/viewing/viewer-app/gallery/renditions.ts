import type { Rendition, ViewItem } from '../../contract.ts';

type Kind = Pick<ViewItem, 'kind'>;

/** The rendition that an item has in the gallery. */
export const smallOf = ({ kind }: Kind): Rendition => (kind === 'video' ? 'posterthumb' : 'thumb512');

/** The picture that fills the screen: of a video the one before it plays. */
export const fullOf = ({ kind }: Kind): Rendition => (kind === 'video' ? 'poster' : 'p2048');
