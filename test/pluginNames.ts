const displayName = Symbol.for('fastify.display-name');

/**
 * Gives each function the name under which Fastify knows a plugin. Without one Fastify looks for the plugin among all
 * loaded modules, and each look costs jest much: together a quarter of the start of a server.
 */
Object.defineProperty(Function.prototype, displayName, {
  configurable: true,
  get(this: { name: string }): string {
    return this.name === '' ? 'plugin' : this.name;
  },
  set(this: object, value: string) {
    Object.defineProperty(this, displayName, { value });
  },
});

export {};
