import { closeSync, openSync, writeSync } from 'node:fs';
import { Decoder, type FilterComplexAPI, type Frame } from 'node-av';
import type { NodeAvTask } from './node-av.ts';
import { drain, openGraph } from './node-av-graph.ts';
import { openInput, packetsOf, streamOf } from './node-av-input.ts';

/** Draws how far the key frames of made files lie apart, two by two. */
export async function drawDifferences(task: Extract<NodeAvTask, { act: 'differences' }>): Promise<void> {
  const { files, filter, outputs } = task;
  const inputs = files.map((_, n) => `${n}:v`);
  const pictures = outputs.map((name, n) => ({ label: `d${n}`, file: openSync(name, 'wx') }));
  const labels = pictures.map(({ label }) => label);
  const graph = openGraph(filter, inputs, labels);
  const all = await Promise.all(files.map(readKeyFrames));
  while (await feed(graph, all)) await write(graph, pictures);
  await graph.flush();
  await write(graph, pictures);
  for (const { file } of pictures) closeSync(file);
}

/** Hands over the next frame of every file. @returns false when there is none any more */
async function feed(graph: FilterComplexAPI, all: readonly AsyncGenerator<Frame | null>[]): Promise<boolean> {
  let isFed = false;
  for (const [n, frames] of all.entries()) {
    const { value: frame } = await frames.next();
    if (!frame) continue;
    await graph.process(`${n}:v`, frame);
    frame.free();
    isFed = true;
  }
  return isFed;
}

async function write(graph: FilterComplexAPI, pictures: readonly { label: string; file: number }[]): Promise<void> {
  for (const { label, file } of pictures)
    for await (const frame of drain(graph, label)) {
      writeSync(file, frame.toBuffer());
      frame.free();
    }
}

async function readKeyFrames(file: string): Promise<AsyncGenerator<Frame | null>> {
  const input = await openInput(file);
  const options = { skip_frame: 'nokey', skip_loop_filter: 'all' };
  const decoder = await Decoder.create(streamOf(input, 0), { options, threadCount: 1, exitOnError: false });
  return decoder.frames(packetsOf(input, 0));
}
