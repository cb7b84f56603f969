import { test } from '@playwright/test';
import { warnNoPlayer } from '../../support/media/clips.ts';
import type { Tab } from './tab.ts';

/** Leaves a story out where the engine plays no H.264, and says so. @throws where nobody reads along */
export async function needPlayer(tab: Tab, engine: string): Promise<void> {
  const canPlay = await tab.evaluate(() => MediaSource.isTypeSupported('video/mp4; codecs="avc1.64001f,mp4a.40.2"'));
  if (!canPlay) warnNoPlayer(engine);
  test.skip(!canPlay, `${engine} plays no H.264 here.`);
}
