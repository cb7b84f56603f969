/** A call of a signed-in person that was answered; nothing of what was said, and no address of theirs. */
export interface AnsweredRequest {
  requestId: string;
  at: Date;
  /** `albums.list`, or a method and the pattern of an address. */
  what: string;
  status: number;
  ms: number;
}

/** A variable of the environment as an owner may see it. */
export interface EnvironmentSetting {
  name: string;
  about: string;
  isSet: boolean;
  /** Null for one that is not set, and for everything that may be a secret. */
  value: string | null;
  isMasked: boolean;
}

/** How much a process writes into its log. */
export interface LogLevelState {
  level: string;
  /** What it goes back to by itself. */
  usual: string;
  /** Until when it is another one; null while it is the usual one. */
  until: Date | null;
}

/** The log level of a process, which can be raised to `debug` for a while. */
export interface LogLevel {
  state(): LogLevelState;
  /** @param untilMs by the clock of the engines; a moment that has passed ends it */
  raise(untilMs: number): void;
}

/** What the process that answers knows of itself. */
export interface OwnProcess {
  settings: readonly EnvironmentSetting[];
  logLevel: LogLevel;
  /** The last requests of a person that are still remembered, the newest first. */
  requestsOf(userId: string): AnsweredRequest[];
}
