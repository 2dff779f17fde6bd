import { parseArgs, type ParseArgsConfig } from 'node:util';

/** Returns the options of a command line, or null if one is not known or lacks its value. */
export function readOptions<Options extends NonNullable<ParseArgsConfig['options']>>(args: string[], options: Options) {
  try {
    return parseArgs({ args, options }).values;
  } catch {
    return null;
  }
}
