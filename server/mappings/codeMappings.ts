import type { Code } from '../../lib/hl7/codes';
import type { Store } from '../db/open';
import type { CodeMappingRow } from '../db/rows';
import { keepMappings, type Mappings } from './keepMappings';

export interface CodeMappings extends Pick<Mappings<CodeMappingRow>, 'ofSite' | 'isOpen' | 'put'> {
  /**
   * Returns the confirmed mapping of a sender's code, or null. Number, name and system have to be those that were
   * mapped: a code in which one sign is another is another code.
   */
  find(senderId: number, code: Code): CodeMappingRow | null;
}

/** Returns the key of a code. */
export const codeKey = ({ id, text, system }: Code): string => JSON.stringify([id, text, system]);

/** Returns the code that a mapping is of. */
export const codeOf = ({ code_id, code_text, code_system }: CodeMappingRow): Code => ({
  id: code_id,
  text: code_text,
  system: code_system,
});

/** Loads the mappings of senders' codes of all sites. */
export async function loadCodeMappings({ db }: Store): Promise<CodeMappings> {
  const rows = await db.selectFrom('code_mappings').selectAll().where('ended_at', 'is', null).execute();
  const mappings = keepMappings(rows, (row) => `${row.sender_id} ${codeKey(codeOf(row))}`);
  return { ...mappings, find: (senderId, code) => mappings.confirmed(`${senderId} ${codeKey(code)}`) };
}
