import type { TestServer } from '../e2e/startServer';

/** Reads one figure of a server's metrics, for example `process_resident_memory_bytes`. */
export async function readMetric({ url }: TestServer, name: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1];
  if (value === undefined) {
    throw new Error(`The metrics do not tell ${name}`);
  }
  return Number(value);
}
