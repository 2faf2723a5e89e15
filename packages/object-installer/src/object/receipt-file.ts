import { closeSync, fstatSync } from 'node:fs';
import { basename } from 'node:path';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { installReceipt } from '@cortexfs/abi/paths';
import {
  MAX_OBJECT_RECEIPT_BYTES,
  type ObjectReceipt,
  parseObjectReceipt,
} from '@cortexfs/abi/receipt/object';
import { openRegular } from '../file/regular.ts';
import { readOpenText } from '../file/text.ts';
import { requireTrusted } from '../place/trusted.ts';

export const RECEIPT_FILE = basename(installReceipt(''));

/**
 * The receipt in a held control directory. ENODATA when there is none or it is none of ours: the object is not managed;
 * EACCES when others could have written it.
 */
export function readReceipt(controls: number, path: string): ObjectReceipt {
  requireTrusted(path, fstatSync(controls, { bigint: true }));
  const text = readTrusted(controls, `${path}/${RECEIPT_FILE}`);
  try {
    return parseObjectReceipt(text);
  } catch (err) {
    if (!(err instanceof CortexError)) throw err;
    throw new CortexError('ENODATA', `is not managed: ${err.message}`, {
      path,
      layer: 'receipt',
      cause: err,
    });
  }
}

function readTrusted(controls: number, path: string): string {
  try {
    const file = openRegular(controls, RECEIPT_FILE);
    try {
      requireTrusted(path, file.status);
      return readOpenText(file, MAX_OBJECT_RECEIPT_BYTES, 'a receipt');
    } finally {
      closeSync(file.descriptor);
    }
  } catch (err) {
    const error = fromNodeError(err, { path });
    if (!UNMANAGED.includes(error.code)) throw error;
    const why = error.code === 'ENOENT' ? 'has no receipt' : `its receipt ${error.message}`;
    throw new CortexError('ENODATA', `is not managed: ${why}`, { path, layer: 'receipt', cause: err });
  }
}

/** What stands there is no receipt; anything else kept us from looking. */
const UNMANAGED: readonly string[] = ['ENOENT', 'EINVAL', 'EMSGSIZE', 'ELOOP', 'ENOTDIR', 'ENXIO'];
