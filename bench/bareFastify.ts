import { readFileSync } from 'node:fs';
import Fastify from 'fastify';

/** The peer: a Fastify that only sends given bytes. Arguments: port, then `path=file[:gzip]`. */
const [port = '0', ...routes] = process.argv.slice(2);
const app = Fastify();
for (const route of routes) {
  const [path = '/', source = ''] = route.split('=');
  const [file = '', encoding] = source.split(':');
  // Text if possible: Node writes that in one piece with the head.
  const bytes = readFileSync(file, encoding === undefined ? 'utf8' : null);
  app.get(path, (_request, reply) => {
    void reply.header('Content-Type', 'application/json; charset=utf-8');
    return encoding === undefined ? reply.send(bytes) : reply.header('Content-Encoding', encoding).send(bytes);
  });
}
void app.listen({ port: Number(port), host: '127.0.0.1' }).then(() => {
  process.stdout.write('ready\n');
});
