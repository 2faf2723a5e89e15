import { binBundle } from '../../tsup.base.ts';

export default binBundle(import.meta.dirname);
