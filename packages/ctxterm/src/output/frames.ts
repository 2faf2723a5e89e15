import type { TerminalFrame, TerminalSize } from '@cortexfs/abi/frames/terminal';
import { encodeFrame } from '@cortexfs/abi/jsonl';

/** A screen is sent in parts of this many bytes, so that a frame stays below 1 MiB. */
const SCREEN_PART = 512 * 1024;

/** The wire form of one piece of output; put together by hand because it is most of the traffic. */
export function outputFrame(seq: number, base64: string): Buffer {
  return Buffer.from(`{"type":"output","seq":${seq},"data_b64":"${base64}"}\n`, 'latin1');
}

export function screenFrames(seq: number, size: TerminalSize, picture: Buffer): Buffer {
  const frames: Buffer[] = [];
  for (let at = 0; at === 0 || at < picture.length; at += SCREEN_PART) {
    const part = picture.subarray(at, at + SCREEN_PART);
    const more = at + SCREEN_PART < picture.length;
    frames.push(
      frame({ type: 'screen', seq, ...size, data_b64: part.toString('base64'), ...(more ? { more } : {}) }),
    );
  }
  return Buffer.concat(frames);
}

export function frame(value: TerminalFrame): Buffer {
  return encodeFrame(value);
}
