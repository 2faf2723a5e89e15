import { serveInWorker } from '../../../../src/transport/kernel/service.ts';
import { MemoryFileSystem, type MemoryOptions } from './memory-file-system.ts';

await serveInWorker((data) => new MemoryFileSystem(data as MemoryOptions));
