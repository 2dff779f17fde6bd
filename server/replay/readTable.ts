import { parse } from 'csv-parse/sync';
import { UnreadableRecording } from './recording';

export type Row = Record<string, string>;

/**
 * Returns the rows of a delimited text with a header, by column name. Blanks around names and values (BIDMC has
 * one after each comma of its header), a byte order mark and empty lines do not count. Throws UnreadableRecording if
 * a needed column is absent or a row has more or fewer values than the header.
 */
export function readTable(text: string, delimiter: ',' | '|', needed: readonly string[]): Row[] {
  const demand = (columns: string[]): string[] => {
    const absent = needed.filter((name) => !columns.includes(name));
    if (absent.length > 0) {
      throw new UnreadableRecording(`has no column ${absent.map((name) => `"${name}"`).join(', ')}`);
    }
    return columns;
  };
  try {
    return parse<Row>(text, { delimiter, columns: demand, trim: true, bom: true, skip_empty_lines: true });
  } catch (failure) {
    if (failure instanceof UnreadableRecording) {
      throw failure;
    }
    throw new UnreadableRecording(failure instanceof Error ? failure.message : String(failure));
  }
}
