import { parse } from 'csv-parse/sync';
import { UnreadableRecording, type Row } from './recording';

/** Returns the text of a file in UTF-8 or UTF-16, with an order mark or without, else in the letters of Windows. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  // Each character of a header is ASCII: without a mark, one of its two bytes is 0.
  const label = first === 0xff || second === 0 ? 'utf-16le' : first === 0xfe || first === 0 ? 'utf-16be' : 'utf-8';
  const text = new TextDecoder(label).decode(bytes);
  return text.includes('\ufffd') ? new TextDecoder('windows-1252').decode(bytes) : text;
}

/**
 * Returns the rows of a delimited text with a header, by column name. Blanks around names and values (BIDMC has
 * one after each comma of its header), a byte order mark and empty lines do not count. Throws UnreadableRecording if
 * a needed column is absent or a row has more values than the header, or fewer, unless it `mayLack` some: these are ''.
 */
export function readTable(text: string, delimiter: string, needed: readonly string[], mayLack = false): Row[] {
  let blank: Row = {};
  const demand = (columns: string[]): string[] => {
    const absent = needed.filter((name) => !columns.includes(name));
    if (absent.length > 0) {
      throw new UnreadableRecording(`has no column ${absent.map((name) => `"${name}"`).join(', ')}`);
    }
    blank = Object.fromEntries(columns.map((name) => [name, '']));
    return columns;
  };
  const format = { delimiter, trim: true, bom: true, skip_empty_lines: true, relax_column_count_less: mayLack };
  try {
    return parse<Row>(text, { ...format, columns: demand }).map((row) => ({ ...blank, ...row }));
  } catch (failure) {
    if (failure instanceof UnreadableRecording) {
      throw failure;
    }
    throw new UnreadableRecording(failure instanceof Error ? failure.message : String(failure));
  }
}
