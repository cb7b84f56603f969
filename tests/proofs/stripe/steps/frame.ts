import type { Step } from '../step.ts';

/** The frame on a page of the product. The sandbox has a page of ours in its place. */
export const frame: Step = {
  name: 'the frame in Chromium',
  expects: { mayPay: true, opensWindows: true, refused: [] },
  run: ({ people }) => people.showFrame(),
};
