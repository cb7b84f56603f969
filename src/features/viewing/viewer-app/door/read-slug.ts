/**
 * The slug in an address, cut to what a slug can be: messengers and mail programs take the punctuation behind a link along, and
 * people paste it with a space or a sign that nobody sees. Letters that were escaped on the way are read as what they are;
 * `unescape`, because it never throws at what is no escape.
 */
export const readSlug = (pathname: string): string => /^[\da-z-]*[\da-z]/i.exec(unescape(pathname.slice(6)))?.[0] ?? '';
