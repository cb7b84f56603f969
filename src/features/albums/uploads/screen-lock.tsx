/** A phone that falls asleep stops sending: the screen stays on while something is on its way. */
export class ScreenLock {
  #isWanted = false;
  #isAsking = false;
  #lock: WakeLockSentinel | undefined;

  /** Keeps the screen on, or lets it sleep; said as often as one likes. */
  keep(isWanted: boolean): void {
    this.#isWanted = isWanted;
    if (isWanted) void this.#ask();
    else void this.#lock?.release().catch(() => undefined);
  }

  /** One question at a time; by the answer nobody may want it any more. */
  async #ask(): Promise<void> {
    if (this.#lock !== undefined || this.#isAsking || document.hidden || !('wakeLock' in navigator)) return;
    this.#isAsking = true;
    const lock = await navigator.wakeLock.request('screen').catch(() => undefined);
    this.#isAsking = false;
    if (lock === undefined) return;
    this.#lock = lock;
    // The browser lets it go by itself as well, when the page is hidden.
    lock.addEventListener('release', () => {
      this.#lock = undefined;
    });
    if (!this.#isWanted) await lock.release().catch(() => undefined);
  }
}
