/**
 * Ends the process with a clear line on a Node that cannot run Wardlight; newer syntax would fail with an unclear
 * error.
 */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(
      `Wardlight needs Node 20.19 or newer, better 26 or 24; this is ${process.version}. ` +
        'Install a newer Node and try again.',
    );
    process.exit(1);
  }
}
