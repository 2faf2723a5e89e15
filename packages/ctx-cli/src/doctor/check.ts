/** One line of `ctx doctor`. */
export interface Finding {
  readonly check: string;
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  /** The command that mends it. */
  readonly mend?: string;
}

export const ok = (check: string, detail: string): Finding => ({ check, verdict: 'ok', detail });
export const warn = (check: string, detail: string, mend?: string): Finding => ({
  check,
  verdict: 'warn',
  detail,
  ...(mend ? { mend } : {}),
});
export const fail = (check: string, detail: string, mend?: string): Finding => ({
  check,
  verdict: 'fail',
  detail,
  ...(mend ? { mend } : {}),
});
