/** The domain of people whom the full check makes up: reserved by RFC 2606, so no mailbox is there, and no email goes there. */
export const syntheticDomain = 'fullcheck.invalid';

/** Returns whether an address is one of somebody whom the full check made up. */
export const isSyntheticAddress = (address: string): boolean => address.toLowerCase().endsWith(`@${syntheticDomain}`);
