import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { sceneAt, sceneCount, startOf, storyMs } from './scenes.ts';

const stillness = '(prefers-reduced-motion: reduce)';
/** As often as the quickest typing needs it. */
const tickMs = 50;

function watchStillness(changed: () => void): () => void {
  const list = matchMedia(stillness);
  list.addEventListener('change', changed);
  return () => list.removeEventListener('change', changed);
}

/** Returns whether this person wants nothing to move by itself. */
const useStillness = (): boolean =>
  useSyncExternalStore(
    watchStillness,
    () => matchMedia(stillness).matches,
    () => false,
  );

/** The story as far as it is told. */
export interface Story {
  /** From 1. */
  scene: number;
  /** Since the story began. */
  ms: number;
  /** Since the scene began; endless where nothing moves by itself. */
  sceneMs: number;
  /** Scenes wait for Next, and texts stand whole. */
  isStill: boolean;
  isPaused: boolean;
  pauseOrGoOn(): void;
  /** To the next scene, at once. */
  next(): void;
}

/** Tells the story by the clock, or scene by scene where nothing is to move. @param onScene hears of each scene, the first included */
export function useStory(onScene: (scene: number) => void): Story {
  const isStill = useStillness();
  const [ms, setMs] = useState(0);
  const [isPaused, setPaused] = useState(false);
  const announced = useRef(0);
  const scene = sceneAt(ms);
  const isRunning = !isStill && !isPaused && ms < storyMs;

  useEffect(() => {
    if (!isRunning) return undefined;
    const [before, since] = [announced.current, performance.now()];
    const timer = setInterval(() => {
      announced.current = before + performance.now() - since;
      setMs(announced.current);
    }, tickMs);
    return () => clearInterval(timer);
  }, [isRunning]);

  useEffect(() => onScene(scene), [scene, onScene]);

  const pauseOrGoOn = useCallback(() => setPaused((is) => !is), []);
  const next = useCallback(() => {
    announced.current = startOf(Math.min(sceneAt(announced.current) + 1, sceneCount));
    setMs(announced.current);
  }, []);
  const sceneMs = isStill ? Number.POSITIVE_INFINITY : ms - startOf(scene);
  return { scene, ms, sceneMs, isStill, isPaused, pauseOrGoOn, next };
}
