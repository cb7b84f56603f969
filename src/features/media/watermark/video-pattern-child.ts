import { parentPort, workerData } from 'node:worker_threads';
import { drawFilmPattern, type PatternSize } from './video-pattern.ts';

/** The thread in which a film's patterns are drawn; no foreign byte comes here. */
parentPort?.on('message', () => {
  const frame = drawFilmPattern(workerData as PatternSize);
  parentPort?.postMessage(frame, [frame.buffer as ArrayBuffer]);
});
