import { Chip } from '#ui/chip.tsx';

/** Somebody whose bank was asked to take back a payment to this creator. */
export const DisputeChip = () => <Chip tone="plain">Disputed</Chip>;
