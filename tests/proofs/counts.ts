/** How often a drill runs: a few times inside `npm test`, its full count under `npm run prove -- <name>`. */
export const isFull = process.env.PF_PROOF === 'full';
export const countOf = (short: number, full: number): number => (isFull ? full : short);

/** The last line of every proof. */
export function tellProof(name: string, requests: number, figures: Record<string, number>): void {
  if (isFull)
    process.stdout.write(
      `proof ${name}: ${requests} sent, ${Object.entries(figures)
        .map(([figure, value]) => `${figure}=${value}`)
        .join(' ')}\n`,
    );
}
