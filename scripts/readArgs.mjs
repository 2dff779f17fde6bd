import { parseArgs } from 'node:util';

/**
 * Returns the options of a script, before it does anything. Ends the process with the usage: with 0 if it is asked for,
 * with 2 if the script does not know a word.
 */
export function readArgs(usage, options = {}) {
  try {
    const { values } = parseArgs({ options: { ...options, help: { type: 'boolean', short: 'h' } } });
    if (values.help !== true) {
      return values;
    }
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
  process.stdout.write(usage);
  process.exit(0);
}
