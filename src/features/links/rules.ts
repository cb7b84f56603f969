/** A screen is alive while its last beat is younger than this: renewals come every 15 s and a lease lasts 30 s. */
export const screenAliveMs = 40_000;
