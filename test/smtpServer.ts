import { createServer, type Socket } from 'node:net';

export interface SmtpServer {
  url: string;
  /** The accepted mail: the addressee and the message. */
  taken: { to: string; message: string }[];
  stop(): Promise<void>;
}

/** A mail server on this machine that accepts what it is sent, refuses every addressee, or never responds. */
export async function startSmtpServer(manner: 'takes' | 'refuses' | 'hangs'): Promise<SmtpServer> {
  const taken: SmtpServer['taken'] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    if (manner !== 'hangs') {
      converse(socket, manner === 'takes', taken);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('the mail server has no port');
  }
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    taken,
    stop: async () => {
      for (const socket of sockets) {
        socket.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function converse(socket: Socket, takes: boolean, taken: SmtpServer['taken']): void {
  let to = '';
  let message: string[] | null = null;
  let rest = '';
  const hear = (line: string): string | null => {
    if (message !== null) {
      if (line !== '.') {
        message.push(line);
        return null;
      }
      taken.push({ to, message: message.join('\r\n') });
      message = null;
      return '250 taken';
    }
    if (line.startsWith('RCPT TO:')) {
      to = /<(.*)>/.exec(line)?.[1] ?? '';
      return takes ? '250 fine' : '550 no such user';
    }
    if (line === 'DATA') {
      message = [];
      return '354 go on';
    }
    return line === 'QUIT' ? '221 bye' : '250 fine';
  };
  socket.write('220 test\r\n');
  socket.on('data', (data) => {
    const lines = (rest + data.toString()).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const answer = hear(line);
      if (answer !== null) {
        socket.write(`${answer}\r\n`);
      }
    }
  });
}
