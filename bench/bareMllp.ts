import { fsyncSync, openSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { createDeframer, maxMessageBytes } from '../lib/hl7/Deframer';

/** The peer: a listener that appends each message to a file and flushes it before its answer. Arguments: port, file. */
const [port = '0', path = ''] = process.argv.slice(2);
const file = openSync(path, 'a');
const answer = '\x0bMSH|^~\\&|||||||ACK|1|P|2.5\rMSA|AA|1\r\x1c\r';
const server = createServer((socket) => {
  const deframer = createDeframer({ maxBytes: maxMessageBytes });
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    for (const frame of deframer.push(chunk)) {
      if (frame.kind === 'message') {
        writeSync(file, frame.bytes);
        fsyncSync(file);
        socket.write(answer);
      }
    }
  });
});
server.listen(Number(port), '127.0.0.1', () => {
  process.stdout.write('ready\n');
});
