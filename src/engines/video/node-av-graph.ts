import { FilterComplexAPI, Frame } from 'node-av';
import { filterThreads } from './plan.ts';

/** A filter between labelled inputs and outputs that is never made again, whatever the frames become. */
export const openGraph = (filter: string, inputs: readonly string[], outputs: readonly string[]): FilterComplexAPI =>
  FilterComplexAPI.create(filter, {
    inputs: inputs.map((label) => ({ label })),
    outputs: outputs.map((label) => ({ label })),
    threads: filterThreads,
  });

/** What has come out of one output by now; the caller frees it. */
export async function* drain(graph: FilterComplexAPI, label: string): AsyncGenerator<Frame> {
  for (;;) {
    const frame = await graph.receive(label);
    if (!(frame instanceof Frame)) return;
    yield frame;
  }
}

/** Frames behind a filter of one input and one output; the caller frees them. */
export async function* filtered(filter: string, frames: AsyncIterable<Frame | null>): AsyncGenerator<Frame> {
  const graph = openGraph(`[in]${filter}[out]`, ['in'], ['out']);
  for await (const frame of frames) {
    if (frame === null) break;
    await graph.process('in', frame);
    frame.free();
    yield* drain(graph, 'out');
  }
  await graph.flush();
  yield* drain(graph, 'out');
}
