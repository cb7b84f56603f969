import type { Engines } from '#engines/engines.ts';

/** The time of money: in a sandbox a developer may turn it. */
export const moneyNow = ({ linkClock }: Pick<Engines, 'linkClock'>): Date => new Date(linkClock());
