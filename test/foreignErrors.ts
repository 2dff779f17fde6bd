/**
 * Makes errors of SQLite's native part instances of `Error`. Jest gives each test file its own `Error`, but loads the
 * native part once a process, with the error class of the first file: in every later file its errors would be no
 * `Error`. So here every object with the form of an error is one, as in the server.
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
