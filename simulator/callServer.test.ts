import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { openLine } from './callServer';

const sentAt = '2026-05-01T10:00:00.000Z';
const answer = { accepted: 1, duplicates: 0, corrections: 0, rejected: [] };
const sample = { mrn: 'DEMO-001', kind: 'spo2', value: 97, quality: 'good', takenAt: sentAt } as const;

describe('openLine', () => {
  let server: Server;
  let calls: { url: string; headers: IncomingHttpHeaders; body: string; port: number }[];
  let reply: { status: number; text: string };
  let url: URL;

  beforeEach(async () => {
    calls = [];
    reply = { status: 200, text: JSON.stringify(answer) };
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        calls.push({ url: request.url ?? '', headers: request.headers, body, port: request.socket.remotePort ?? 0 });
        response.writeHead(reply.status).end(reply.text);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    url = new URL(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  it.each([
    ['a refusal', 401, '{}', 'the server answers 401'],
    ['a failure', 503, '', 'the server answers 503'],
  ])('rejects with the status: %s', async (_, status, text, message) => {
    reply = { status, text };
    const line = openLine(url, 'token');
    await expect(line.send(sentAt, [sample])).rejects.toThrow(message);
    line.close();
  });

  it.each(['', '[]', '{"accepted":"1"}'])('rejects what is no response to this call: %s', async (text) => {
    reply = { status: 200, text };
    const line = openLine(url, 'token');
    await expect(line.send(sentAt, [sample])).rejects.toThrow();
    line.close();
  });

  it('rejects when no server listens', async () => {
    const line = openLine(new URL('http://127.0.0.1:1'), 'token');
    await expect(line.send(sentAt, [sample])).rejects.toThrow('ECONNREFUSED');
    line.close();
  });

  it('sends as a device does, over one connection that stays open', async () => {
    const line = openLine(url, 'secret-token');
    await expect(line.send(sentAt, [sample])).resolves.toEqual(answer);
    await line.send(sentAt, [sample]);
    line.close();
    expect(calls[0]).toMatchObject({
      url: '/api/v2/vitals',
      headers: { authorization: 'Bearer secret-token', 'content-type': 'application/json' },
      body: JSON.stringify({ sentAt, samples: [sample] }),
    });
    expect(calls[1]?.port).toBe(calls[0]?.port);
  });
});
