/**
 * Goes on in another task. A message and not a timer: browsers hold back the timers of a tab that nobody looks at, for
 * up to a minute each.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
