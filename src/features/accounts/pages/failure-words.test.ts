import { ORPCError } from '@orpc/client';
import { describe, expect, it } from 'vitest';
import { describeFailedSignIn, describeFailedSignUp } from './failure-words.ts';

const refused = new ORPCError('RATE_LIMITED', { message: 'Too many attempts.' });
const unreached = new TypeError('Failed to fetch');

describe('what is told of a way in that failed', () => {
  it('names the sign-up by its place, and by whether the server has said why', () => {
    expect(describeFailedSignUp(refused, refused.message, true)).toEqual({
      title: 'Sign up failed',
      message: 'Too many attempts.',
    });
    expect(describeFailedSignUp(refused, refused.message, false)).toEqual({
      title: 'Signup Error',
      message: 'Too many attempts.',
    });
    expect(describeFailedSignUp(unreached, '', true)).toEqual({
      title: 'Signup Error',
      message: 'Something went wrong',
    });
  });
  it('names the sign-in by whether the server has said why', () => {
    expect(describeFailedSignIn(refused, refused.message)).toEqual({
      title: 'Sign in failed',
      message: 'Too many attempts.',
    });
    expect(describeFailedSignIn(unreached, 'Check your connection.')).toEqual({
      title: 'Sign In Error',
      message: 'Check your connection.',
    });
    expect(describeFailedSignIn(unreached, undefined).message).toBe('Invalid email or password');
  });
});
