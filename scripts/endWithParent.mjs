/**
 * Stops when the parent process ends. npm sends a SIGTERM to the shell it started us with, and that shell dies without
 * passing it on. Under npm, the loss of the parent therefore means "stop": otherwise the server would go on, unseen, on
 * its port.
 */
export function endWithParent() {
  if (process.env.npm_lifecycle_event === undefined) {
    return;
  }
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== parent) {
      clearInterval(watch);
      process.kill(process.pid, 'SIGTERM');
    }
  }, 500);
  watch.unref();
}
