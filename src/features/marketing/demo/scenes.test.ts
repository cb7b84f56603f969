import { describe, expect, it } from 'vitest';
import { sceneAt, sceneCount, sceneSeconds, shareOfScene } from './scenes.ts';
import { cutTyped, typedLength, typingMs } from './typing.ts';

describe('the story', () => {
  it('has eight scenes, each at its second, and the last one stays', () => {
    expect(sceneCount).toBe(8);
    for (const [at, start] of sceneSeconds.entries()) {
      expect(sceneAt(1000 * start)).toBe(at + 1);
      if (at > 0) expect(sceneAt(1000 * start - 1)).toBe(at);
    }
    expect(sceneAt(10_000_000)).toBe(8);
  });

  it('tells how far each scene is', () => {
    expect([0, 4500, 9000].map((ms) => shareOfScene(1, ms))).toEqual([0, 0.5, 1]);
    expect([1, 2, 3].map((scene) => shareOfScene(scene, 13_500))).toEqual([1, 0.5, 0]);
    expect([0, 72_000].map((ms) => shareOfScene(8, ms))).toEqual([0, 1]);
  });
});

describe('typed text', () => {
  it('comes a character at a time, after its delay', () => {
    expect([0, 99, 100, 250, 9000].map((ms) => typedLength('leak', ms))).toEqual([0, 0, 1, 2, 4]);
    expect([599, 650, 800].map((ms) => typedLength('leak', ms, { delayMs: 600, stepMs: 50 }))).toEqual([0, 1, 4]);
    expect(typingMs('leak', { delayMs: 600, stepMs: 50 })).toBe(800);
  });

  it('never shows half of a character', () => {
    expect(cutTyped('a🙂b', 2)).toEqual({ typed: 'a🙂', rest: 'b' });
  });
});
