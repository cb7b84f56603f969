import fc from 'fast-check';

/** A mutant is found in fifteen seconds of random cases or not at all; on a busy machine fewer reach no reason that is rare. */
fc.configureGlobal({ interruptAfterTimeLimit: 15_000, markInterruptAsFailure: false });
