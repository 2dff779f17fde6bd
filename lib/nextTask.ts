/**
 * Continues in another task. Uses a message and not a timer: browsers delay the timers of a hidden tab by up to a
 * minute each.
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
