import { ORPCError } from '@orpc/client';

interface FailureText {
  title: string;
  message: string | undefined;
}

const isServers = (error: unknown): boolean => error instanceof ORPCError;

/**
 * What is told of a sign-up that failed: the server's words where people sign in and up, and else what is known of it.
 * @param said what is known of it; empty when nothing is
 */
export const describeFailedSignUp = (error: unknown, said: string, isOnWaysIn: boolean): FailureText =>
  isServers(error) && isOnWaysIn
    ? { title: 'Sign up failed', message: said }
    : { title: 'Signup Error', message: said || 'Something went wrong' };

/** The same of a sign-in: what the server said, or what went wrong before it could say anything. */
export const describeFailedSignIn = (error: unknown, said: string | undefined): FailureText => ({
  title: isServers(error) ? 'Sign in failed' : 'Sign In Error',
  message: said || 'Invalid email or password',
});
