import fastifyStatic from '@fastify/static';
import type { App } from './server';

/**
 * Serves the files that the build made for the pages at `/_next/static/` from `folder` (absolute). Their names change
 * with their content, so browsers may cache them for good. The build has compressed them (`scripts/compressFiles.mjs`):
 * Next would compress a file for every request, on the one thread that also answers devices and polls.
 */
export async function addBuiltFiles(app: App, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    prefix: '/_next/static/',
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    index: false,
    dotfiles: 'ignore',
    decorateReply: false,
    setHeaders: (reply) => {
      reply.setHeader('Vary', 'Accept-Encoding');
    },
  });
}
