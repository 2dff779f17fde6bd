import { z } from 'zod';

/** What became of the calls of a storm. The offerer prints it as JSON. */
export const stormSchema = z.object({
  /** Rows that the server has acknowledged. */
  rows: z.number(),
  offered: z.number(),
  /** Calls by the status of their response. */
  statuses: z.record(z.string(), z.number()),
  /** Calls refused without saying when to come again. */
  withoutRetry: z.number(),
});

export type Storm = z.infer<typeof stormSchema>;

export interface Samples {
  rows: number;
  /** As JSON. */
  text: string;
}

/** In the place of a status: the connection was closed. */
const noAnswer = 0;
const stored = z.object({ accepted: z.number(), duplicates: z.number() });

export const noStorm = (): Storm => ({ rows: 0, offered: 0, statuses: {}, withoutRetry: 0 });

export const asText = (samples: object[]): Samples => ({ rows: samples.length, text: JSON.stringify(samples) });

/** Sends one call and notes what became of it; resolves with the seconds to wait if it was refused, null if not. */
export async function sendRows(
  server: string,
  token: string,
  { rows, text }: Samples,
  storm: Storm,
): Promise<number | null> {
  storm.offered += rows;
  const count = (status: number): void => {
    storm.statuses[status] = (storm.statuses[status] ?? 0) + 1;
  };
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
  const body = `{"sentAt":"${new Date().toISOString()}","samples":${text}}`;
  let response: Response;
  try {
    response = await fetch(`${server}/api/v2/vitals`, { method: 'POST', headers, body });
  } catch {
    count(noAnswer);
    return 1;
  }
  count(response.status);
  const answer: unknown = await response.json();
  if (response.status === 200) {
    storm.rows += stored.parse(answer).accepted;
    return null;
  }
  const retry = response.headers.get('retry-after');
  storm.withoutRetry += retry === null ? 1 : 0;
  return Number(retry ?? 1);
}
