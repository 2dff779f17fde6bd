import { ApiFailure } from './client';
import { downloadPatientFile } from './downloadPatientFile';

const bytes = new TextEncoder();

/** A response whose body comes in these parts, and then breaks if it should. */
function responseOf(parts: readonly string[], { headers = {}, breaks = false }: Partial<Reply> = {}): Response {
  const left = [...parts];
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: (controller) => {
        const part = left.shift();
        if (part !== undefined) {
          controller.enqueue(bytes.encode(part));
        } else if (breaks) {
          controller.error(new TypeError('network error'));
        } else {
          controller.close();
        }
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers });
}

interface Reply {
  headers: Record<string, string>;
  breaks: boolean;
}

describe('the download of a patient’s file', () => {
  const answer = (response: Response | Error): jest.SpiedFunction<typeof fetch> =>
    jest
      .spyOn(globalThis, 'fetch')
      .mockImplementation(() => (response instanceof Error ? Promise.reject(response) : Promise.resolve(response)));
  const heard: [number, number | null][] = [];
  const download = (signal = new AbortController().signal) =>
    downloadPatientFile(7, { kind: 'notes' }, { signal, onRows: (rows, ofAbout) => heard.push([rows, ofAbout]) });
  const codeOf = async (signal?: AbortSignal): Promise<unknown> => {
    const problem = await download(signal).catch((error: unknown) => error);
    return problem instanceof ApiFailure ? [problem.code, problem.status] : problem;
  };
  let ms = 0;

  beforeEach(() => {
    heard.length = 0;
    ms = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => ms);
  });

  it('fails with the code of the server, and with one of ours if that is no answer of the server', async () => {
    answer(Response.json({ error: { code: 'password_needed', message: 'Confirm first.' } }, { status: 403 }));
    await expect(codeOf()).resolves.toEqual(['password_needed', 403]);
    answer(new Response('<html>', { status: 502 }));
    await expect(codeOf()).resolves.toEqual(['unreadable_response', 502]);
    answer(new TypeError('Failed to fetch'));
    await expect(codeOf()).resolves.toEqual(['unreachable', null]);
  });

  it('fails if the connection breaks, however much had come', async () => {
    answer(responseOf(['head\r\n', 'row\r\n'], { breaks: true }));
    await expect(codeOf()).resolves.toEqual(['no_response', null]);
  });

  it('fails as aborted when it was', async () => {
    const controller = new AbortController();
    answer(responseOf(['head\r\n'], { breaks: true }));
    controller.abort();
    await expect(codeOf(controller.signal)).resolves.toEqual(['aborted', null]);
  });

  it('asks for what is wanted and gives it as it came, under the name that the server gave', async () => {
    const fetched = answer(
      responseOf(['\uFEFFhead\r\n', 'row\r\n'], {
        headers: { 'Content-Disposition': 'attachment; filename="patient-7-notes-2026-03-01-to-2026-03-02.csv"' },
      }),
    );
    const { name, content, rows } = await download();
    expect(name).toBe('patient-7-notes-2026-03-01-to-2026-03-02.csv');
    expect(Buffer.from(await content.arrayBuffer()).toString()).toBe('\uFEFFhead\r\nrow\r\n');
    expect(rows).toBe(1);
    expect(fetched.mock.calls[0]?.[0]).toBe('/api/v2/patients/7/export?kind=notes');
  });

  it('counts the rows, which end with CR LF wherever a part ends, and not the lines of a note', async () => {
    answer(responseOf(['head\r', '\nrow\r\n"two\nlines"', '\r\n'], { headers: { 'X-Row-Estimate': '2' } }));
    jest.spyOn(performance, 'now').mockImplementation(() => (ms += 1_000));
    await download();
    expect(heard).toEqual([
      [0, 2],
      [1, 2],
      [2, 2],
    ]);
  });

  it('tells how far it is a few times a second, not with each part', async () => {
    answer(responseOf(['head\r\n', ...Array.from({ length: 1_000 }, () => 'row\r\n')]));
    // A part a millisecond.
    jest.spyOn(performance, 'now').mockImplementation(() => (ms += 1));
    await download();
    expect(heard.map(([rows]) => rows)).toEqual([0, 250, 500, 750, 1_000]);
  });

  it('does not know how many rows there are if the server says nothing or nonsense', async () => {
    answer(responseOf(['head\r\n'], { headers: { 'X-Row-Estimate': 'many' } }));
    await download();
    answer(responseOf(['head\r\n']));
    await download();
    expect(heard).toEqual([
      [0, null],
      [0, null],
    ]);
  });
});
