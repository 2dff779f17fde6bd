import { ask, clientFailure, type CallInput, type Reply } from '../lib/browser/client';
import type { CallName } from '../lib/api/calls';

/** A poll is given up after this time, in milliseconds, so that a server that hangs does not stop the next one. */
export const pollLimitMs = 8_000;

/** `ask` with a time limit, for polls. Throws `ApiFailure` only. */
export async function poll<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<Reply<Name>> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      controller.abort();
      reject(clientFailure('aborted'));
    }, pollLimitMs);
  });
  try {
    return await Promise.race([ask(name, { ...input, signal: controller.signal }), limit]);
  } finally {
    clearTimeout(timer);
  }
}
