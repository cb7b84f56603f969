import fc from 'fast-check';

/** A mutant is found in two seconds of random cases or not at all, and there are hundreds of mutants. */
fc.configureGlobal({ interruptAfterTimeLimit: 2000, markInterruptAsFailure: false });
