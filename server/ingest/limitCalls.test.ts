import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { holdWrites } from '../../test/holdWrites';
import { startTestServer, type TestServer } from '../../test/testServer';
import { bodyLimit, openLimits } from './limitCalls';

let test: TestServer;
let port: number;
let token: string;

beforeAll(async () => {
  test = await startTestServer('sqlite');
  port = Number(new URL(await test.app.listen({ port: 0, host: '127.0.0.1' })).port);
  ({ token } = await test.addDevice(await test.addSite()));
});
afterAll(() => test.stop());

/** Sends the beginning of some calls on a connection of its own, and resolves when the server reads their bodies. */
async function begin(head: string, body: string, calls = 1): Promise<Socket> {
  const known = jest.spyOn(test.server.liveState.devices, 'set');
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const call =
    `POST /api/v2/vitals HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n` +
    `Content-Type: application/json\r\n${head}\r\n\r\n${body}`;
  socket.write(call.repeat(calls));
  while (known.mock.calls.length < calls) {
    await turn();
  }
  known.mockRestore();
  // The device is known now, and its body is read.
  await turn();
  return socket;
}

/** Resolves with the status of the response that comes next. */
async function statusOf(socket: Socket): Promise<string> {
  return String(await once(socket, 'data')).slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length);
}

async function breakOff(socket: Socket): Promise<void> {
  const closed = once(socket, 'close');
  socket.resetAndDestroy();
  await closed;
}

/** One sample, of no patient: it goes to quarantine. */
const whole = '{"samples":[{"patientId":999,"kind":"spo2","value":97,"takenAt":"2026-03-01T08:00:00Z"}]}';

const openConnections = (): Promise<number> =>
  new Promise((resolve, reject) => {
    test.app.server.getConnections((error, count) => {
      if (error === null) {
        resolve(count);
      } else {
        reject(error);
      }
    });
  });

async function untilClosed(): Promise<void> {
  while ((await openConnections()) > 0) {
    await turn();
  }
}

describe('the calls of a device that are open', () => {
  it.each([
    ['in the middle of a body', 'Content-Length: 2000000', '{"samples":['],
    ['in the middle of a body without a length', 'Transfer-Encoding: chunked', '5\r\n{"sam\r\n'],
    ['after the whole call', `Content-Length: ${whole.length}`, whole],
  ])('are not those whose connection broke %s', async (_, head, body) => {
    const open = holdWrites(test.store);
    for (let count = 0; count < openLimits.callsOfDevice + 10; count += 1) {
      await breakOff(await begin(head, body));
    }
    await untilClosed();
    open();
    await test.server.recorder.idle();
    const { statusCode } = await test.ingest(token, []);
    expect(statusCode).toBe(200);
  });

  it('are not those that waited behind another one on a connection that broke', async () => {
    const open = holdWrites(test.store);
    for (let count = 0; count < 5; count += 1) {
      await breakOff(await begin(`Content-Length: ${whole.length}`, whole, 16));
    }
    await untilClosed();
    open();
    await test.server.recorder.idle();
    const { statusCode } = await test.ingest(token, []);
    expect(statusCode).toBe(200);
  });

  it('are those of a client that has gone too, while their bodies are kept', async () => {
    const open = holdWrites(test.store);
    const record = jest.spyOn(test.server.recorder, 'record');
    const body = whole.padEnd(bodyLimit, ' ');
    for (let count = 1; count <= openLimits.bytesOfDevice / bodyLimit; count += 1) {
      const socket = await begin(`Content-Length: ${body.length}`, body);
      while (record.mock.calls.length < count) {
        await turn();
      }
      await breakOff(socket);
    }
    record.mockRestore();
    await untilClosed();
    const during = await test.ingest(token, []);
    open();
    await test.server.recorder.idle();
    const after = await test.ingest(token, []);
    expect([during.statusCode, after.statusCode]).toEqual([429, 200]);
  });

  it('end with those that came when there were many already, and not with the first', async () => {
    const head = `Connection: close\r\nContent-Length: ${whole.length}`;
    const sockets: Socket[] = [];
    for (let count = 0; count < openLimits.callsOfDevice + 6; count += 1) {
      sockets.push(await begin(head, whole.slice(0, 10)));
    }
    const statuses: string[] = [];
    for (const socket of sockets) {
      socket.write(whole.slice(10));
      statuses.push(await statusOf(socket));
    }
    expect(statuses).toEqual(sockets.map((_, place) => (place < openLimits.callsOfDevice ? '200' : '429')));
  });

  it('count for as long as they are once they are read, if they came without a length', async () => {
    const open = holdWrites(test.store);
    const chunked = `${whole.length.toString(16)}\r\n${whole}\r\n0\r\n\r\n`;
    const sockets: Socket[] = [];
    for (let count = 0; count < 2 * (openLimits.bytesOfDevice / bodyLimit); count += 1) {
      sockets.push(await begin('Transfer-Encoding: chunked\r\nConnection: close', chunked));
    }
    open();
    const statuses = await Promise.all(sockets.map(statusOf));
    expect(statuses).toEqual(sockets.map(() => '200'));
  });

  it('wait for no long body that does not end', async () => {
    const long = whole.padEnd(openLimits.longBody + 1, ' ');
    const head = `Connection: close\r\nContent-Length: ${long.length}`;
    const slow: Socket[] = [];
    for (let count = 0; count < 2 * openLimits.longBodiesRead; count += 1) {
      slow.push(await begin(head, long.slice(0, 10)));
    }
    await expect(statusOf(await begin(head, long))).resolves.toBe('200');
    await Promise.all(slow.map(breakOff));
    await untilClosed();
  });

  it('are refused with 413 if they are too long, however long', async () => {
    const socket = await begin(`Content-Length: ${openLimits.bytes + 1}`, '{');
    await expect(statusOf(socket)).resolves.toBe('413');
    await breakOff(socket);
  });
});
