import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { z } from 'zod';
import { UsageError } from './UsageError';

/**
 * Returns the options and the other words of a command. Throws UsageError if an option is not known or lacks its value,
 * or if there are other words and the command takes none.
 */
export function readArgs<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
  { takesWords }: { takesWords: boolean },
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: takesWords, strict: true });
  } catch (failure) {
    throw new UsageError(failure instanceof Error ? failure.message : String(failure));
  }
}

/** Returns what an option says. Throws UsageError with `mustBe` if it cannot be that. */
export function optionOf<Value>(schema: z.ZodType<Value>, text: string | undefined, mustBe: string): Value {
  const parsed = schema.safeParse(text);
  if (!parsed.success) {
    throw new UsageError(mustBe);
  }
  return parsed.data;
}
