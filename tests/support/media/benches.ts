import { Readable } from 'node:stream';
import { afterEach } from 'vitest';
import type { Walls } from '#engines/children/walls.ts';
import { openWorkbench, type Workbench } from '#engines/children/workbench.ts';

/** Lays files on workbenches that are closed after each test; for the top of a test file. */
export function layOn(walls: Walls): (bytes: Buffer) => Promise<Workbench> {
  const benches: Workbench[] = [];
  afterEach(async () => {
    for (const bench of benches.splice(0)) await bench.close();
  });
  return async (bytes) => {
    const bench = await openWorkbench(walls, Readable.from([bytes]));
    benches.push(bench);
    return bench;
  };
}
