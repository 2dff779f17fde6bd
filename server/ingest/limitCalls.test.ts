import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { holdWrites } from '../../test/holdWrites';
import { startTestServer, type TestServer } from '../../test/testServer';
import { openLimits } from './limitCalls';

let test: TestServer;
let port: number;
let token: string;

beforeAll(async () => {
  test = await startTestServer('sqlite');
  port = Number(new URL(await test.app.listen({ port: 0, host: '127.0.0.1' })).port);
  ({ token } = await test.addDevice(await test.addSite()));
});
afterAll(() => test.stop());

/** Sends the beginning of a call on a connection of its own, and breaks it off while the server reads the body. */
async function breakOff(head: string, body: string): Promise<void> {
  const known = jest.spyOn(test.server.liveState.devices, 'set');
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `POST /api/v2/vitals HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\n${head}\r\n\r\n${body}`,
  );
  while (known.mock.calls.length === 0) {
    await turn();
  }
  known.mockRestore();
  // The device is known now, and its body is read.
  await turn();
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

describe('the calls of a device that are open', () => {
  it.each([
    ['in the middle of a body', 'Content-Length: 2000000', '{"samples":['],
    ['in the middle of a body without a length', 'Transfer-Encoding: chunked', '5\r\n{"sam\r\n'],
    ['after the whole call', `Content-Length: ${whole.length}`, whole],
  ])('are not those whose connection broke %s', async (_, head, body) => {
    const open = holdWrites(test.store);
    for (let count = 0; count < openLimits.callsOfDevice + 10; count += 1) {
      await breakOff(head, body);
    }
    while ((await openConnections()) > 0) {
      await turn();
    }
    open();
    await test.server.recorder.idle();
    const { statusCode } = await test.ingest(token, []);
    expect(statusCode).toBe(200);
  });
});
