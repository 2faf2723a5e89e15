import { type FileSystemOptions, openFileSystem } from './core/open.ts';
import { serveInWorker } from './transport/kernel/service.ts';

await serveInWorker((options) => openFileSystem(options as FileSystemOptions));
