import { singleFileBundle } from '../../tsup.base.ts';

export default singleFileBundle(import.meta.dirname);
