/**
 * Jest gives each test file an `Error` of its own, but loads SQLite's native part once a process, with the error class
 * of the file that came first: in every later file its errors would be no `Error`. So here whatever looks like one is
 * one, as it is in the one world that the server runs in.
 */
const ordinary = Function.prototype[Symbol.hasInstance];

Object.defineProperty(Error, Symbol.hasInstance, {
  value(this: unknown, value: unknown): boolean {
    const isInstance = ordinary.call(this as never, value);
    return (
      isInstance ||
      (this === Error && typeof value === 'object' && value !== null && 'stack' in value && 'message' in value)
    );
  },
});

export {};
