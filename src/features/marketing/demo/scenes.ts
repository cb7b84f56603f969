/** The moment at which each scene of the story begins, in seconds from its start; the last one stays. */
export const sceneSeconds = [0, 9, 18, 30, 42, 52, 64, 72] as const;

/** How many scenes there are. */
export const sceneCount = sceneSeconds.length;

/** From here on nothing moves any more, in milliseconds from the start. */
export const storyMs = 80_000;

/** When a scene begins, in milliseconds from the start. @param scene from 1 */
export const startOf = (scene: number): number => (sceneSeconds[scene - 1] ?? 0) * 1000;

/** The number of the scene that is shown at a moment, from 1. @param ms since the story began */
export function sceneAt(ms: number): number {
  const next = sceneSeconds.findIndex((start) => start * 1000 > ms);
  return next === -1 ? sceneCount : Math.max(1, next);
}

/** Returns how far a scene is, 0 to 1. @param ms since the story began */
export function shareOfScene(scene: number, ms: number): number {
  if (scene >= sceneCount) return ms >= startOf(scene) ? 1 : 0;
  return Math.min(1, Math.max(0, (ms - startOf(scene)) / (startOf(scene + 1) - startOf(scene))));
}
