import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/**
 * Sends a file of comma-separated values part by part: the next part is made when the client has taken those before.
 * If the client goes away, `parts` is ended where it is. If it throws, the connection is broken, so that half a file
 * never looks like a whole one. `name` is that of the file, without its ending. `onEnd` is called once after all that,
 * with the error of `parts` or null.
 */
export function sendCsv(
  reply: FastifyReply,
  name: string,
  parts: Iterable<string> | AsyncIterable<string>,
  onEnd: (error: Error | null) => void = () => undefined,
): FastifyReply {
  // Two parts ahead. A buffer of texts would hold sixteen.
  const file = Readable.from(parts, { highWaterMark: 2 });
  file.once('close', () => {
    onEnd(file.errored);
  });
  return reply
    .type('text/csv; charset=utf-8')
    .header('Content-Disposition', `attachment; filename="${name}.csv"`)
    .send(file);
}
