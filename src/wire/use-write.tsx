import {
  type DefaultError,
  hashKey,
  type MutateOptions,
  type UseMutationOptions,
  type UseMutationResult,
  useMutation,
} from '@tanstack/react-query';
import { useCallback, useRef } from 'react';

/**
 * A call that changes something, as every page makes it: while one is under way, the same call again is that one. A double
 * tap comes before the button can be drawn as busy.
 */
export function useWrite<Data, Failure = DefaultError, Input = void, Kept = unknown>(
  options: UseMutationOptions<Data, Failure, Input, Kept>,
): UseMutationResult<Data, Failure, Input, Kept> {
  const { mutateAsync: send, ...rest } = useMutation(options);
  const running = useRef(new Map<string, Promise<Data>>());
  type Then = MutateOptions<Data, Failure, Input, Kept>;
  const mutateAsync = useCallback(
    (input: Input, then: Then = {}) => {
      const params = hashKey([input]);
      const known = running.current.get(params);
      if (known !== undefined) return known;
      const begun = send(input, then).finally(() => running.current.delete(params));
      running.current.set(params, begun);
      return begun;
    },
    [send],
  );
  const mutate = useCallback(
    (input: Input, then: Then = {}) => {
      // What fails is told by `onError` and `error`.
      mutateAsync(input, then).catch(() => undefined);
    },
    [mutateAsync],
  );
  return { ...rest, mutate, mutateAsync } as UseMutationResult<Data, Failure, Input, Kept>;
}
