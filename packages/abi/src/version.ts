/** The product version: what every bin prints and what object requirements are compared with. */
export const VERSION = '0.1.7';
