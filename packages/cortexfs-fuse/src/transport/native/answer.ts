import type { Attr, FileSystemSize } from '../../core/file-system.ts';

const UINT32 = 2 ** 32;

/** Attributes as the add-on reads them: 18 numbers of 32 bits, times in whole milliseconds from 1970 on. */
export function attrNumbers(attr?: Attr): Uint32Array {
  const numbers = new Uint32Array(18);
  if (attr === undefined) return numbers;
  numbers[0] = attr.mode;
  numbers[1] = attr.uid;
  numbers[2] = attr.gid;
  putWide(numbers, 3, attr.size);
  numbers[6] = attr.nlink;
  numbers[7] = shortInode(attr.ino);
  numbers[8] = attr.rdev;
  numbers[9] = attr.blksize;
  putWide(numbers, 10, attr.blocks);
  putWide(numbers, 12, milliseconds(attr.atimeNs));
  putWide(numbers, 14, milliseconds(attr.mtimeNs));
  putWide(numbers, 16, milliseconds(attr.ctimeNs));
  return numbers;
}

/** What a listing tells of each entry: inode number and type. */
export function listedNumbers({ ino, type }: { ino: bigint; type: number }): Uint32Array {
  const numbers = new Uint32Array(18);
  numbers[0] = type;
  numbers[7] = shortInode(ino);
  return numbers;
}

/** The size of a file system as the add-on reads it; blocks are counted in larger units when 32 bits are too few. */
export function sizeNumbers(size?: FileSystemSize): Uint32Array {
  const numbers = new Uint32Array(11);
  if (size === undefined) return numbers;
  const unit = 2 ** Math.max(0, Math.ceil(Math.log2((size.blocks + 1) / UINT32)));
  const inUnits = (blocks: number) => Math.floor(blocks / unit);
  const atMost = (count: number) => Math.min(count, UINT32 - 1);
  numbers[0] = size.blockSize * unit;
  numbers[1] = size.blockSize * unit;
  numbers[2] = inUnits(size.blocks);
  numbers[3] = inUnits(size.blocksFree);
  numbers[4] = inUnits(size.blocksAvailable);
  numbers[5] = atMost(size.files);
  numbers[6] = atMost(size.filesFree);
  numbers[7] = atMost(size.filesFree);
  numbers[10] = size.nameMax;
  return numbers;
}

/** 64 bits that came as two halves. */
export function wide(low: number, high: number): number {
  return low + high * UINT32;
}

/** Inode numbers below 2^32 stay as they are; 0 would hide the entry from listings. */
function shortInode(ino: bigint): number {
  return Number(BigInt.asUintN(32, ino ^ (ino >> 32n))) || 1;
}

function milliseconds(nanoseconds: bigint): number {
  return nanoseconds < 0n ? 0 : Number(nanoseconds / 1_000_000n);
}

function putWide(numbers: Uint32Array, index: number, value: number): void {
  numbers[index] = value % UINT32;
  numbers[index + 1] = Math.floor(value / UINT32);
}
