import { withoutDeadline } from './deadline.ts';

/**
 * Opens something when it is first needed, again where that failed; `opened` never opens it.
 * @param open makes it, under no deadline of the first who needs it
 */
export function openOnce<T>(open: () => Promise<T>): (() => Promise<T>) & { opened(): Promise<T | undefined> } {
  let opening: Promise<T> | undefined;
  const need = () => {
    opening ??= withoutDeadline(open).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return Object.assign(need, { opened: async () => opening });
}
