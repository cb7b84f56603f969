/** Copies that leaked are read one after the other; one creator never has two at once. */
export const traceQueue = 'traces.read';
