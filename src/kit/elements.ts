import type { ReactElement } from 'react';

/**
 * React children without bare text, safe beside content that appears and disappears. Browsers that translate a page wrap bare text
 * in a tag of their own, and React then loses track of it. A component need not wrap children of this type (decision 0056).
 */
export type Elements = ReactElement | false | null | undefined | readonly Elements[];
