/** The name and password of an address, and what stands behind its path: signatures and keys travel there. */
const userPart = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#]*@/gi;
const behindPath = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s?#]*)[?#]\S*/gi;

/** Returns a text whose addresses say where something is, and never by what one is let in there. */
export const withoutCredentials = (text: string): string => text.replace(userPart, '$1').replace(behindPath, '$1');
