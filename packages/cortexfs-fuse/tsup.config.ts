import { binBundle } from '../../tsup.base.ts';

export default binBundle(import.meta.dirname, {
  entry: { 'cortexfs-fuse': 'src/main.ts', worker: 'src/worker.ts' },
});
