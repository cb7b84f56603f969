import { ORPCError } from '@orpc/client';
import { describe, expect, it } from 'vitest';
import { tellFailedSignIn, tellFailedSignUp } from './failure-words.ts';

const refused = new ORPCError('RATE_LIMITED', { message: 'Too many attempts.' });
const unreached = new TypeError('Failed to fetch');

describe('what is told of a way in that failed', () => {
  it('names the sign-up by its place, and by whether the server has said why', () => {
    expect(tellFailedSignUp(refused, refused.message, true)).toEqual({
      title: 'Sign up failed',
      message: 'Too many attempts.',
    });
    expect(tellFailedSignUp(refused, refused.message, false)).toEqual({
      title: 'Signup Error',
      message: 'Too many attempts.',
    });
    expect(tellFailedSignUp(unreached, '', true)).toEqual({ title: 'Signup Error', message: 'Something went wrong' });
  });
  it('names the sign-in by whether the server has said why', () => {
    expect(tellFailedSignIn(refused, refused.message)).toEqual({
      title: 'Sign in failed',
      message: 'Too many attempts.',
    });
    expect(tellFailedSignIn(unreached, 'Check your connection.')).toEqual({
      title: 'Sign In Error',
      message: 'Check your connection.',
    });
    expect(tellFailedSignIn(unreached, undefined).message).toBe('Invalid email or password');
  });
});
