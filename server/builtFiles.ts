import fastifyStatic from '@fastify/static';
import type { App } from './server';

/**
 * Serves the files that the build made for the pages at `/_next/static/`, out of `folder` (absolute). Their names
 * change with their content, so browsers keep them for good. Each goes out as the build compressed it
 * (`scripts/compressFiles.mjs`): Next compresses every file anew for every browser, on the one thread that also answers
 * the ward.
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
