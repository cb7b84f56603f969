import { signUp } from './joining/joining.ts';

/** Mails the link and the code that prove an address, or that it is known already; the answer is the same. */
export const askForAccount = signUp;
