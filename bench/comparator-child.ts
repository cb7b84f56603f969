import type { Comparator } from './support/comparator.ts';

/** The process of one comparator: `node bench/comparator-child.ts <part> <name> <settings>`. */
const [part = '', name = '', settings = '{}'] = process.argv.slice(2);
const send = (message: object) => process.send?.(message);
process.on('disconnect', () => process.exit());
try {
  const { comparators } = await import(`./${part}.ts`);
  const { says = {}, work }: Comparator = await comparators[name](JSON.parse(settings));
  process.on('message', (order) => {
    const done = work?.(order as never) ?? Promise.reject(new Error('It takes no orders.'));
    done.then(
      (answer) => send({ answer }),
      (error: Error) => send({ failed: String(error.stack) }),
    );
  });
  send({ says });
} catch (error) {
  process.send?.({ failed: String((error as Error).stack) }, () => process.exit(1));
}
