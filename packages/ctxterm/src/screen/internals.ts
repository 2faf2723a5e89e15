import type { Terminal } from '@xterm/headless';

/** State of the headless terminal that its public interface does not show. The version is pinned for this. */
export interface HiddenState {
  cursorHidden: boolean;
  /** Scrolling region, rows counted from 0. */
  scrollTop: number;
  scrollBottom: number;
  /** `DEFAULT`, `SGR` or `SGR_PIXELS`. */
  mouseEncoding: string;
  cursorStyle: string | undefined;
  cursorBlink: boolean | undefined;
}

interface Core {
  buffer: { scrollTop: number; scrollBottom: number };
  coreService: {
    isCursorHidden: boolean;
    decPrivateModes: { cursorStyle?: string; cursorBlink?: boolean };
  };
  coreMouseService: { activeEncoding: string };
}

export function hiddenState(terminal: Terminal): HiddenState {
  const core = (terminal as unknown as { _core: Core })._core;
  const { cursorStyle, cursorBlink } = core.coreService.decPrivateModes;
  return {
    cursorHidden: core.coreService.isCursorHidden,
    scrollTop: core.buffer.scrollTop,
    scrollBottom: core.buffer.scrollBottom,
    mouseEncoding: core.coreMouseService.activeEncoding,
    cursorStyle,
    cursorBlink,
  };
}
