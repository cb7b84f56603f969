import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isServer, notifyWhenAsked } from './teller.ts';

/** Where V8 keeps what it compiles: machine code, bytecode, and what it needs to leave optimised code again. */
const ofCode = /^(shared_)?(code|trusted)_/;

/** Lets a server collect all garbage and tell what it holds then, code and all else apart. */
if (isServer) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  notifyWhenAsked(() => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    const codeBytes = getHeapSpaceStatistics()
      .filter(({ space_name }) => ofCode.test(space_name))
      .reduce((sum, { space_used_size }) => sum + space_used_size, 0);
    return { heldBytes: heapUsed + external - codeBytes, codeBytes };
  });
}
