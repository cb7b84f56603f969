import { afterEach, expect, it, vi } from 'vitest';
import { warnNoClips, warnNoPlayer } from './support/media/clips.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

it('tests of videos are left out with a word, but not in CI, unless somebody allows it', () => {
  const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const leaveOut = (ci: string | undefined, allowed: string | undefined) => {
    vi.stubEnv('CI', ci);
    vi.stubEnv('TEST_WITHOUT_VIDEOS', allowed);
    warnNoClips();
    warnNoPlayer('Chromium 1');
  };
  expect(() => leaveOut('true', undefined)).toThrow('there is no ffmpeg on this machine. Give this machine');
  expect(() => leaveOut('1', '0')).toThrow('or say TEST_WITHOUT_VIDEOS=1.');
  expect(said).not.toHaveBeenCalled();
  for (const ci of [undefined, '', 'false', '0']) leaveOut(ci, undefined);
  leaveOut('true', '1');
  expect(said).toHaveBeenCalledTimes(10);
  expect(said).toHaveBeenLastCalledWith('Videos are not tested: this browser plays no H.264 (Chromium 1).\n');
});
