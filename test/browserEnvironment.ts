import { TestEnvironment } from 'jest-environment-jsdom';

/** jsdom with what every browser has and jsdom lacks; the values are Node's own, which follow the same standards. */
export default class BrowserEnvironment extends TestEnvironment {
  override async setup(): Promise<void> {
    await super.setup();
    Object.assign(this.global, {
      TextEncoder,
      TextDecoder,
      ReadableStream,
      Headers,
      Request,
      Response,
      structuredClone,
    });
  }
}
