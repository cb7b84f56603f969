/**
 * Opens something when it is first needed, again where that failed; `opened` never opens it.
 * @param open makes it
 */
export function openOnce<T>(open: () => Promise<T>): (() => Promise<T>) & { opened(): Promise<T | undefined> } {
  let opening: Promise<T> | undefined;
  const need = () => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return Object.assign(need, { opened: async () => opening });
}
