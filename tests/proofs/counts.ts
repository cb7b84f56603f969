const form = process.env.PF_PROOF;

/**
 * Says which paths a proof guards: when one of them changes, `npm run prove -- changed` runs it again. The command reads the
 * globs from the file, so they stand there as plain strings.
 */
export const guards = (..._globs: readonly string[]): void => undefined;

/** Whether a proof runs in its long form, as under `npm run prove -- <name>`, at a machine that has nothing else to do. */
export const isFull = form === 'full' || form === 'largest';
/** How often a proof runs: a few times inside `npm test`, in its long form, and with `--full` behind that as often as is ever worth it. */
export const countOf = (short: number, full: number, largest = full): number =>
  form === 'largest' ? largest : isFull ? full : short;

/** The value that 99 of 100 do not exceed; 0 of none. */
export const p99Of = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[Math.ceil(0.99 * all.length) - 1] ?? 0;

/** The last line of every proof. */
export function printProof(name: string, requests: number, figures: Record<string, number>): void {
  if (isFull)
    process.stdout.write(
      `proof ${name}: ${requests} sent, ${Object.entries(figures)
        .map(([figure, value]) => `${figure}=${value}`)
        .join(' ')}\n`,
    );
}
