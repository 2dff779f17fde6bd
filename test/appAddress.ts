import type { App } from '../server/server';
import type { TestServer } from './testServer';

const addresses = new WeakMap<App, Promise<string>>();

/** Resolves with the address ("http://127.0.0.1:4711") where a test server listens from the first call on. */
export async function appAddress({ app }: TestServer): Promise<string> {
  const address = addresses.get(app) ?? app.listen({ port: 0, host: '127.0.0.1' });
  addresses.set(app, address);
  return await address;
}
