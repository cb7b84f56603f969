import { Chip } from '#ui/chip.tsx';

/** Beside the name, for those who try what is new. */
export const BetaBadge = () => <Chip tone="ember">BETA</Chip>;
