import { connect } from 'node:net';
import type { Server } from '../server/server';
import { connectMllp, type MllpClient } from './mllpClient';
import type { TestServer } from './testServer';

const ports = new WeakMap<Server, Promise<number>>();
let addresses = 0;

/** Resolves with the port for HL7 gateways, which opens with the first call after a start. */
export async function hl7Port({ app, server }: TestServer): Promise<number> {
  const open = async (): Promise<number> => {
    await app.ready();
    return (await server.hl7.listen())?.port ?? 0;
  };
  const port = ports.get(server) ?? open();
  ports.set(server, port);
  return await port;
}

/**
 * Returns an address of this machine for a test that shares a server: a gateway is known by its address. No other test
 * has an address of the same 256.
 */
export function gatewayAddress(): string {
  addresses += 1;
  return `127.${1 + (addresses >> 8)}.${addresses & 255}.1`;
}

/** Connects as a gateway with an address of this machine does. */
export async function connectGateway(test: TestServer, address: string): Promise<MllpClient> {
  const port = await hl7Port(test);
  return await connectMllp(port, connect({ port, host: '127.0.0.1', localAddress: address }));
}
