import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join, relative } from 'node:path';

/*
 * Each `npm start` listens on a socket in this folder while it runs. A file or the number of a process could outlive
 * it; no one listens once it has ended, however it ended.
 */
const folder = 'dist/running';
let own = null;

/** The address of a socket: relative, because the system takes about 100 characters. */
const addressOf = (root, name) => relative(process.cwd(), join(root, folder, name));

/** Announces that this process serves what is installed and built here, until it ends. */
export async function announce(root) {
  own = randomBytes(6).toString('hex');
  const address = addressOf(root, own);
  mkdirSync(join(root, folder), { recursive: true });
  const server = createServer((socket) => socket.destroy());
  await new Promise((resolve) => {
    // Some file systems have no sockets: there the server runs without this protection.
    server.once('error', resolve).listen(address, resolve);
  });
  server.unref();
  process.once('exit', () => rmSync(address, { force: true }));
}

/** Returns whether another `npm start` serves from this folder, and says then that it has to be stopped first. */
export async function isServed(root) {
  for (const name of namesIn(join(root, folder))) {
    if (name !== own && (await isListening(addressOf(root, name)))) {
      console.error(
        'A Wardlight server runs or is being built in this folder, and what is here is out of date: stop it first. ' +
          'Nothing was installed or built.',
      );
      return true;
    }
  }
  return false;
}

function namesIn(path) {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function isListening(address) {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', ({ code }) => {
      if (code === 'ECONNREFUSED') {
        rmSync(address, { force: true });
      }
      // Of another user, or too busy to answer: it is there.
      resolve(code === 'EACCES' || code === 'EAGAIN');
    });
  });
}
