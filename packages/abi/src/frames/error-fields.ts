import { type ErrnoName, isErrnoName } from '../errno.ts';
import { CortexError } from '../errors.ts';
import { type OptionalReader, optional, parsed, type Reader, text } from '../shape.ts';

/** What an error frame carries; a program decides by `code`, the rest is for people. */
export interface ErrorFields {
  code: ErrnoName;
  message: string;
  path?: string;
  layer?: string;
  hint?: string;
}

/** The fields of an error frame from an error. */
export function errorFields({ code, message, path, layer, hint }: CortexError): ErrorFields {
  return {
    code,
    message,
    ...(path === undefined ? {} : { path }),
    ...(layer === undefined ? {} : { layer }),
    ...(hint === undefined ? {} : { hint }),
  };
}

export const errnoName: Reader<ErrnoName> = parsed((name) => {
  if (isErrnoName(name)) return name;
  throw new CortexError('EINVAL', `${JSON.stringify(name.slice(0, 40))} is not an errno name`, {
    layer: 'format',
  });
});

export const errorReaders: {
  code: Reader<ErrnoName>;
  message: Reader<string>;
  path: OptionalReader<string>;
  layer: OptionalReader<string>;
  hint: OptionalReader<string>;
} = {
  code: errnoName,
  message: text({ nul: true }),
  path: optional(text()),
  layer: optional(text()),
  hint: optional(text({ nul: true })),
};
