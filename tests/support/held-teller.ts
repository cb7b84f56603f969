import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isServer, tellWhenAsked } from './teller.ts';

/** Lets a server collect all garbage and tell what it holds then. */
if (isServer) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  tellWhenAsked(() => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return { heldBytes: heapUsed + external };
  });
}
