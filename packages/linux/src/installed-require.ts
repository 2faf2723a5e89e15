import { statSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * `require` as seen from a file or a file URL, for add-ons that are installed beside a bin. It finds packages behind
 * links also right after the process looked at a socket or a pipe: Node's realpathSync takes the type of whatever was
 * looked at last for that of a path component that it remembers, and stops resolving links there.
 */
export function requireFrom(place: string): NodeJS.Require {
  statSync('/');
  return createRequire(place);
}
