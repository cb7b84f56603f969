/** Elements that hold and show, and nothing that asks, leads away, runs or brings a look of its own. */
const elements = 'div|span|p|b|strong|em|i|small|br|hr|ul|ol|li|iframe';
const quiet = 'class|id|title|role|lang|dir|hidden|tabindex|name|style|width|height|allow|frameborder|scrolling';
const named = `(?:${quiet}|allowtransparency|(?:aria|data)-[a-z-]+)(?:="[^"<>]*")?`;
/** Which hosts a frame may come from says the page's policy. */
const framed = 'src="https://[a-z0-9.-]+(?:/[^"<>]*)?"';
const tag = `<(?:${elements})(?:\\s+(?:${named}|${framed}))*\\s*/?>`;
const inert = new RegExp(`^(?:[^<]|</(?:${elements})>|${tag})*$`, 'i');

/**
 * Whether a text is HTML of which nothing can run: words, boxes and frames by address. Whatever is not written in that way is
 * not inert, also where it might do no harm.
 */
export const isInert = (html: string): boolean => inert.test(html);
