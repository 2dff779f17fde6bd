import { setTimeout as wait } from 'node:timers/promises';

/** Asks for `/healthz` again and again; resolves with the longest time that an answer took, in milliseconds. */
export async function pollHealth(url: string, until: AbortSignal): Promise<number> {
  let longest = 0;
  while (!until.aborted) {
    const begun = performance.now();
    await (await fetch(`${url}/healthz`)).text();
    longest = Math.max(longest, performance.now() - begun);
    await wait(5);
  }
  return longest;
}
