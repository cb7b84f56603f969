import type { World } from './world.ts';

/** Something that people do with the product, as the product is asked for it. */
export interface Step {
  key: string;
  title: string;
  /** Steps without which it cannot be made. */
  needs: readonly string[];
  /** @returns what it found, in words @throws when the product does not do it, or `NotRun` */
  run(world: World): Promise<string>;
}
