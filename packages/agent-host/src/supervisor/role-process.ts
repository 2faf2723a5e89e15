/** A role process that was started and has not published itself yet, whoever keeps it. */
export interface RoleProcess {
  readonly pid: number;
  /** Whether it is gone. */
  ended(): boolean;
  /** Ends it, and all that it started; resolves when it is gone. */
  kill(): Promise<void>;
  /** The error that it reported, as JSON; empty when it said nothing. Once it is gone. */
  report(): Promise<string>;
  /** It goes on without its starter. */
  release(): void;
}

/** What a supervisor is told about a role: the program with its options, and where its output goes. */
export interface RoleCommand {
  readonly argv: readonly string[];
  /** Stands last, after the supervisor's own options: `--` and what the role runs, or nothing. */
  readonly command: readonly string[];
  readonly log: string;
}
