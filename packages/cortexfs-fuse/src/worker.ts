import { type FileSystemOptions, openFileSystem } from './core/open.ts';
import { serveInWorker } from './transport/kernel/service.ts';

await serveInWorker((options, _cache, log) => openFileSystem(options as FileSystemOptions, log));
