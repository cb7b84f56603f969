import type { ReactElement } from 'react';

/**
 * Elements, and no bare text: what may stand beside something that comes and goes. A browser that translates the page puts text
 * into a tag of its own, and React then loses it; a component that takes these need not wrap them.
 */
export type Elements = ReactElement | false | null | undefined | readonly Elements[];
