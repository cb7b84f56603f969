/** What the pool sends a child. */
export interface ChildTask<Job> {
  job: Job;
  /** The file to work on. */
  input: string;
  /** Output `x` of this task is written to `<output>.x`. */
  output: string;
}

/** What a child sends back: an answer, or the stack of an error that nobody expected. */
export type ChildReply = { answer: unknown } | { error: string };

/** The child's side of the pool: answers one task after the other and ends when the parent is gone. */
export function serveTasks<Job>(work: (task: ChildTask<Job>) => Promise<unknown>): void {
  process.on('disconnect', () => process.exit());
  process.on('message', async (task: ChildTask<Job>) => {
    const reply = await work(task).then(
      (answer): ChildReply => ({ answer: answer ?? null }),
      (error: unknown): ChildReply => ({ error: String((error as Error)?.stack ?? error) }),
    );
    process.send?.(reply);
  });
}
