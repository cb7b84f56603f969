/** A box on the screen. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const meets = (one: Box, other: Box) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** How far a toast may rise from its usual place before the top of the screen is the better one. */
const mostLift = 0.5;
const gap = 8;

/**
 * Where toasts stand so that they lie over nothing that is needed now: in their usual place at the foot, above what stands there,
 * or at the top of the screen.
 * @param usual their box in the usual place
 * @param needed what must stay free: bars at the foot, and the controls of an open dialog
 * @returns how far they are lifted, in px
 */
export function findLift(usual: Box, needed: readonly Box[], screenHeight: number): number {
  const liftedBy = (px: number): Box => ({ ...usual, top: usual.top - px, bottom: usual.bottom - px });
  const isFree = (px: number) => !needed.some((box) => meets(liftedBy(px), box));
  const above = needed
    .map((box) => usual.bottom - box.top + gap)
    .filter((px) => px > 0 && px < screenHeight * mostLift);
  const [least] = [0, ...above].filter(isFree).sort((one, other) => one - other);
  return least ?? Math.max(0, usual.top - gap);
}
