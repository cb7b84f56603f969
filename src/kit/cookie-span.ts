/** Browsers keep no cookie longer than this. */
export const longestCookieDays = 400;
export const longestCookieSeconds: number = longestCookieDays * 86_400;
