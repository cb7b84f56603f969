import { parentPort, workerData } from 'node:worker_threads';
import { drawVideoPattern, type PatternSize } from './video-pattern.ts';

/** The thread in which a video's patterns are drawn; no foreign byte comes here. */
parentPort?.on('message', () => {
  const frame = drawVideoPattern(workerData as PatternSize);
  parentPort?.postMessage(frame, [frame.buffer as ArrayBuffer]);
});
