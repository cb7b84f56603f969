import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { filesBelow } from '#tests/support/database/list-below.ts';
import { canDrawClips, drawClip, warnNoClips } from '#tests/support/media/clips.ts';
import { type Visitor, visit } from '#tests/support/servers/visitor.ts';
import type { Browser } from '#tests/support/test-app.ts';
import { countOf, guards, isFull, printProof } from '../counts.ts';
import { mostSecondsLocked, secondsUntilTakenUp } from '../load/taken-up.ts';
import { mostMedianReadyMs, openKillRoom, readyFiguresOf, until } from './kill-room.ts';

guards('src/features/media/**', 'src/engines/video/**', 'src/engines/jobs/**');

/** The real server, killed by SIGKILL while it encodes, and started again on the same data. */
if (!canDrawClips) warnNoClips();

const room = await openKillRoom();
const patience = { timeout: countOf(900_000, 7_200_000, 21_600_000) };
const locked: number[] = [];
let visitor: Visitor;
let creator: Browser;
let albumId: string;
let video: Buffer;

afterAll(async () => {
  await room.close();
  const figures = { kills: room.kills, mostSecondsLocked: Math.max(0, ...locked), ...readyFiguresOf(room.readyMs) };
  printProof('kill-video', locked.length, figures);
});

/** Sends a video, and kills the server while it encodes. @returns the id of the video */
async function killWhileEncoding(after: number): Promise<string> {
  const uploadId = await visitor.beginUpload(creator, albumId, video, 'video/mp4');
  await visitor.sendFrom(creator, uploadId, video, 0);
  await room.kill();
  await room.start('all');
  await until(() => filesBelow(room.workDir).find((file) => file.endsWith('v720-a.m4s')), 'The encode', 3);
  await wait(after);
  await room.kill();
  return uploadId;
}

test.runIf(canDrawClips)(
  "graphile-worker's jobs that stay locked: a server that was killed while it encoded takes the video up again within a minute, makes it, and nothing of the first try is left",
  patience,
  async () => {
    await room.start('web');
    visitor = visit(room.server);
    creator = await visitor.signUp('video@example.com');
    albumId = (await visitor.must('albums.create', { name: 'Killed', peopleConsent: 'only_me' }, creator)).id;
    video = drawClip({ seconds: 10, width: 640, height: 360 });
    for (let n = 0; n < countOf(1, 30, 200); n++) {
      const uploadId = await killWhileEncoding(100 * (n % 10));
      expect(filesBelow(room.workDir)).not.toEqual([]);
      await room.start('all');
      locked.push(await secondsUntilTakenUp(room.dataDir, uploadId));
      const items = await visitor.untilSettled(creator, albumId, 10);
      expect(items.find(({ id }) => id === uploadId)?.state).toBe('ready');
      expect(await room.findUntidy()).toEqual([]);
    }
    expect(locked.filter((seconds) => seconds > mostSecondsLocked)).toEqual([]);
    if (isFull) expect(readyFiguresOf(room.readyMs).medianReadyMs).toBeLessThanOrEqual(mostMedianReadyMs);
  },
);

// As long as a job may lie locked: in less time a healthy server could not be told from this one.
test.runIf(canDrawClips && isFull)('planted: a video that nobody takes up again is found', patience, async () => {
  const uploadId = await killWhileEncoding(500);
  await room.start('web');
  const taken = secondsUntilTakenUp(room.dataDir, uploadId, mostSecondsLocked);
  await expect(taken).rejects.toThrow('Nobody took a job up again');
});
