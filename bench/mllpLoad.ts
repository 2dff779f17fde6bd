import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { connectMllp } from '../test/mllpClient';

/** Ten connections of an address is as many as the HL7 port takes. */
const ofAddress = 10;

/** How long each message waited for its acknowledgement, in milliseconds, and how many were taken in a second. */
export interface MllpLoad {
  times: number[];
  perSecond: number;
}

/**
 * Sends messages for `seconds` on connections of their own and measures: on each the next one once the last is
 * acknowledged and `everyMs` have passed since it was sent. `next` returns a connection's next message. Rejects if one
 * is not taken (AA).
 */
export async function mllpLoad(
  port: number,
  { connections, seconds, everyMs = 0 }: { connections: number; seconds: number; everyMs?: number },
  next: (connection: number) => string,
): Promise<MllpLoad> {
  const times: number[] = [];
  const begun = performance.now();
  const send = async (connection: number): Promise<void> => {
    const localAddress = `127.0.0.${2 + Math.floor(connection / ofAddress)}`;
    const client = await connectMllp(port, connect({ port, host: '127.0.0.1', localAddress }));
    // Not all at once, if they keep a pace.
    let dueAt = begun + (everyMs * connection) / connections;
    while (performance.now() - begun < seconds * 1_000) {
      await wait(Math.max(0, dueAt - performance.now()));
      const sentAt = performance.now();
      client.send(next(connection));
      const { code, text } = await client.next();
      if (code !== 'AA') {
        throw new Error(`The server answered ${text}`);
      }
      times.push(performance.now() - sentAt);
      dueAt += everyMs;
    }
    client.socket.destroy();
  };
  await Promise.all(Array.from({ length: connections }, (_, connection) => send(connection)));
  return { times, perSecond: times.length / ((performance.now() - begun) / 1_000) };
}
