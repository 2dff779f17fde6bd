import { createSerialQueue, type SerialQueue } from '../db/serialQueue';
import { HttpError } from '../http/httpError';

/** Each connection has one message under way. What waits beyond that was given up, while the store does not answer. */
const mostWaiting = 200;

/** Creates a queue for a step of messages, which rejects with 503 (`busy`) if too many wait for their `what`. */
export function createMessageQueue(what: string): SerialQueue {
  const queue = createSerialQueue();
  let waiting = 0;
  return async (work) => {
    if (waiting >= mostWaiting) {
      throw new HttpError(503, 'busy', `Too many messages wait for their ${what}. Send it again.`);
    }
    waiting += 1;
    try {
      return await queue(work);
    } finally {
      waiting -= 1;
    }
  };
}
